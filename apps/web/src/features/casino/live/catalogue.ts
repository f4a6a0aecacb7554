import { msg, t } from '@lingui/core/macro';
import { named } from '../../../platform/named.ts';
import { categoryName } from '../categories.ts';
import { isFound } from '../search.ts';
import { FAMILIES, familyOf, type GameList, KINDS, type LiveGame } from './families.ts';

/** How the lobby lays its games out (LIV-01, LIV-02, LIV-03). */
export const GROUPINGS = [
  { id: 'provider', label: msg`Provider` },
  { id: 'category', label: msg`Category` },
  { id: 'all', label: msg`All` },
] as const;
export type Grouping = (typeof GROUPINGS)[number]['id'];

/** What of the lobby is shown; every part of it stands in the address, so that Back from a game finds it again. */
export interface Choice {
  group: Grouping;
  /** Name of a provider, or ''. */
  provider: string;
  /** One of the five categories of the records, or ''. */
  kind: string;
  /** Label of a family, 'favourites', or ''. */
  category: string;
}

export interface Group {
  title: string;
  games: LiveGame[];
}

export function readChoice(params: URLSearchParams): Choice {
  const group = params.get('group');
  return {
    group: GROUPINGS.find(({ id }) => id === group)?.id ?? 'provider',
    provider: params.get('provider') ?? '',
    kind: KINDS.find((one) => one === params.get('kind')) ?? '',
    category: familyNamed(params.get('category')) ?? (params.get('category') === 'favourites' ? 'favourites' : ''),
  };
}

/** The address of a choice: what is at its start value is left out. */
export function choiceParams(choice: Choice): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(choice))
    if (value !== '' && !(name === 'group' && value === 'provider')) params.set(name, value);
  return params;
}

/** The label of a family however it is written: "colour", "Color Prediction", "color prediction". */
function familyNamed(text: string | null): string | null {
  const wanted = text?.toLowerCase();
  return FAMILIES.find(({ id, label }) => label.toLowerCase() === wanted || id === wanted)?.label ?? null;
}

/** All games, in the order of providers and then of families. */
export function allGames(list: GameList): LiveGame[] {
  const place = new Map(FAMILIES.map(({ id }, at) => [id, at]));
  return Object.values(list).flatMap((byCategory) =>
    Object.values(byCategory)
      .flat()
      .sort((a, b) => place.get(familyOf(a).id)! - place.get(familyOf(b).id)! || byName(a, b)),
  );
}

const byName = (a: LiveGame, b: LiveGame): number => a.game_name.localeCompare(b.game_name);

export const isActive = (game: LiveGame): boolean => game.status.toUpperCase() === 'ACTIVE';

/** The games a choice and a search leave. */
export function chosen(
  games: readonly LiveGame[],
  choice: Choice,
  search: string,
  marked: ReadonlySet<string>,
): LiveGame[] {
  return games.filter((game) => {
    const family = familyOf(game);
    if (choice.provider !== '' && game.provider_name !== choice.provider) return false;
    if (choice.kind !== '' && game.category !== choice.kind) return false;
    if (
      choice.category === 'favourites' ? !marked.has(markOf(game)) : choice.category && choice.category !== family.label
    )
      return false;
    const text = `${game.game_name} ${named(game.game_name)} ${family.label} ${categoryName(family.label)} ${game.category} ${game.provider_name} ${game.sub_provider_name}`;
    return isFound(search, text);
  });
}

/** The same games in groups. A provider that was chosen keeps its group when it has nothing to show: it says why. */
export function grouped(games: readonly LiveGame[], choice: Choice, providers: readonly string[]): Group[] {
  if (choice.group === 'all') return [{ title: t`All games`, games: [...games] }];
  if (choice.group === 'provider')
    return providers
      .filter((name) => choice.provider === '' || name === choice.provider)
      .map((title) => ({ title, games: games.filter((game) => game.provider_name === title) }));
  const others = games.map(({ category }) => category).filter((one) => !KINDS.includes(one as never));
  return [...new Set<string>([...KINDS, ...others])]
    .map((kind) => ({ title: categoryName(kind), games: games.filter(({ category }) => category === kind) }))
    .filter((group) => group.games.length > 0);
}

/** How a live game is written among the player's favourites, beside the codes of the tables. */
export const markOf = (game: Pick<LiveGame, 'game_id'>): string => `g:${game.game_id}`;

export const gamePath = (game: Pick<LiveGame, 'game_id'>): string => `/live-casino/${encodeURIComponent(game.game_id)}`;
