import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useCall } from '../../../api/api.ts';
import { say } from '../../../platform/language.ts';
import { useSearchParams } from '../../../platform/routing.tsx';
import { useSession } from '../../../session/session.ts';
import { useBettingOff } from '../../../slip/slip.ts';
import { Count } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field, SelectInput } from '../../../ui/field.tsx';
import { IconInfoCircle, IconSearchOff, IconShieldHeart } from '../../../ui/icons.ts';
import { PHONE, useMedia } from '../../../ui/media.ts';
import { EmptyState, ErrorNote, Note } from '../../../ui/note.tsx';
import { optionsOf } from '../../../ui/options.ts';
import { Choice as Choose, Strip } from '../../../ui/tabs.tsx';
import { categoryName } from '../categories.ts';
import { useFavourites } from '../favourites.ts';
import { IconLayoutGrid, IconPlugConnectedX, IconStar } from '../icons.ts';
import { lastPlayed } from '../recent.ts';
import { allGames, type Choice, choiceParams, chosen, GROUPINGS, grouped, markOf, readChoice } from './catalogue.ts';
import { FAMILIES, familyOf, KINDS, type LiveGame } from './families.ts';
import { GameTile } from './game-tile.tsx';
import { NotOpen } from './not-open.tsx';
import marketCss from '../../../ui/market.module.css';
import overlayCss from '../../../ui/overlay.module.css';
import panelCss from '../../../ui/panel.module.css';
import gameTileCss from '../game-tile.module.css';
import lobbyCss from '../lobby.module.css';
import css from './live.module.css';

/**
 * The games of the live providers with their filters. Until a provider is connected it says so, decently. `beside`: under the
 * tables of a search, where only what was found is of interest.
 */
export function LiveGames({ search, beside = false }: { search: string; beside?: boolean }) {
  const list = useCall(CALLS.provider.games, {}, { keep: true, refetchMs: 60_000 });
  const providers = useCall(CALLS.provider.providers, {}, { keep: true });
  const [params, setParams] = useSearchParams();
  const choice = useMemo(() => readChoice(params), [params]);
  const { marked, toggle } = useFavourites();
  const games = useMemo(() => allGames(list.data ?? {}), [list.data]);
  const names = useMemo(
    () => [...new Set([...(providers.data ?? []), ...games.map((game) => game.provider_name)])],
    [providers.data, games],
  );
  const shown = chosen(games, choice, search, marked);
  if (beside && shown.length === 0) return null;
  if (list.isError && !list.data) {
    return (
      <ErrorNote title={t`The live games did not load.`} onRetry={() => void list.refetch()}>
        {t`Your bets and balance are not affected.`}
      </ErrorNote>
    );
  }
  if (list.isPending || (games.length === 0 && providers.isPending)) return <Loading />;
  if (names.length === 0) return <NotOpen category={params.get('category')} />;

  const choose = (part: Partial<Choice>) => setParams(choiceParams({ ...choice, ...part }), { replace: true });
  const narrowed = choice.provider !== '' || choice.kind !== '' || choice.category !== '' || search.trim() !== '';
  const recent = narrowed ? [] : recentOf(games);
  const tile = (game: LiveGame) => (
    <GameTile
      key={game.game_id}
      game={game}
      marked={marked.has(markOf(game))}
      onMark={toggle}
      provider={choice.group !== 'provider'}
    />
  );
  return (
    <section className={cx('stack', lobbyCss.part)} aria-label={t`Live games`}>
      <Standing />
      <Filters choice={choice} choose={choose} games={games} names={names} marked={marked} />
      {recent.length > 0 && (
        <section className={cx('stack', lobbyCss.part)} aria-label={t`Last played`}>
          <h2 className={lobbyCss.head}>{t`Last played`}</h2>
          <div className={cx(lobbyCss.lobby, css.lobbyHead)}>{recent.map(tile)}</div>
        </section>
      )}
      {grouped(shown, choice, names).map((group) => {
        const down = choice.group === 'provider' && !games.some((game) => game.provider_name === group.title);
        if (group.games.length === 0 && !down) return null;
        return (
          <section key={group.title} aria-label={group.title} className={cx('stack', lobbyCss.part)}>
            <h2 className={cx(lobbyCss.head, 'row g-4')}>
              {group.title} {group.games.length > 0 && <Count n={group.games.length} />}
            </h2>
            {down ? <Down provider={group.title} /> : <div className={lobbyCss.lobby}>{group.games.map(tile)}</div>}
          </section>
        );
      })}
      {shown.length === 0 && games.length > 0 && <None choice={choice} search={search} />}
    </section>
  );
}

function Down({ provider }: { provider: string }) {
  return (
    <Note icon={IconPlugConnectedX} tone="warn">
      <Trans>
        <b>{provider} does not answer at the moment.</b> Its games come back by themselves; all others can be played.
      </Trans>
    </Note>
  );
}

function recentOf(games: readonly LiveGame[]): LiveGame[] {
  return lastPlayed('live').flatMap((id) => games.find((game) => game.game_id === id) ?? []);
}

/** Play money, or why no game can be played: the games stay in sight either way. */
function Standing() {
  const demo = useSession()?.isDemo ?? false;
  const off = useBettingOff();
  if (off) {
    return (
      <Note icon={IconShieldHeart} tone="warn">
        <b>{t`Games do not open now.`}</b> {off}
      </Note>
    );
  }
  if (!demo) return null;
  return (
    <Note icon={IconInfoCircle}>
      <Trans>
        <b>Demo.</b> Live games run with play money of the studio; your balance here does not change.
      </Trans>
    </Note>
  );
}

function Filters({
  choice,
  choose,
  games,
  names,
  marked,
}: {
  choice: Choice;
  choose: (part: Partial<Choice>) => void;
  games: readonly LiveGame[];
  names: readonly string[];
  marked: ReadonlySet<string>;
}) {
  const phone = useMedia(PHONE);
  const rows = [
    {
      label: t`Provider`,
      value: choice.provider,
      options: [{ value: '', label: t`All` }, ...optionsOf(names)],
      take: (provider: string) => choose({ provider }),
    },
    {
      label: t`Category`,
      value: choice.kind,
      options: [{ value: '', label: t`All` }, ...KINDS.map((kind) => ({ value: kind, label: categoryName(kind) }))],
      take: (kind: string) => choose({ kind }),
    },
    {
      label: t`Group by`,
      value: choice.group,
      options: GROUPINGS.map(({ id, label }) => ({ value: id, label: say(label) })),
      take: (group: string) => choose({ group: group as Choice['group'] }),
    },
  ];
  return (
    <>
      <Strip
        label={t`Categories of live games`}
        value={choice.category || 'all'}
        onChange={(id) => choose({ category: id === 'all' ? '' : id })}
        items={categoryItems(games, choice, marked)}
      />
      <div className={css.filters}>
        {rows.map(({ label, value, options, take }) =>
          phone ? (
            <Field key={label} label={label}>
              <SelectInput value={value} options={options} onChange={(event) => take(event.target.value)} />
            </Field>
          ) : (
            <Choose
              key={label}
              label={label}
              value={value}
              onChange={take}
              items={options.map((one) => ({ id: one.value, label: one.label }))}
            />
          ),
        )}
      </div>
    </>
  );
}

/** The families that have a game; the chosen one stays. */
function categoryItems(games: readonly LiveGame[], choice: Choice, marked: ReadonlySet<string>) {
  const families = FAMILIES.map((family) => ({
    family,
    count: games.filter((game) => familyOf(game) === family).length,
  })).filter(({ count, family }) => count > 0 || choice.category === family.label);
  return [
    { id: 'all', label: t`All`, icon: IconLayoutGrid, count: games.length },
    {
      id: 'favourites',
      label: t`Favourites`,
      icon: IconStar,
      count: games.filter((game) => marked.has(markOf(game))).length,
    },
    ...families.map(({ family, count }) => ({
      id: family.label,
      label: categoryName(family.label),
      icon: family.icon,
      count,
    })),
  ];
}

function None({ choice, search }: { choice: Choice; search: string }) {
  const favourites = choice.category === 'favourites' && search.trim() === '';
  return (
    <section className={panelCss.panel}>
      <EmptyState
        icon={favourites ? IconStar : IconSearchOff}
        title={favourites ? t`No favourites yet` : t`No live game found`}
      >
        {favourites ? t`Press the star on a game to keep it here.` : t`Try another word, category or provider.`}
      </EmptyState>
    </section>
  );
}

function Loading() {
  return (
    <section className={lobbyCss.lobby} aria-label={t`Live games`} aria-busy="true">
      {Array.from({ length: 12 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
        <div key={at} className={gameTileCss.tile} aria-hidden="true">
          <span className={cx(marketCss.tileArt, overlayCss.skeleton)} />
          <span className={marketCss.tileName}>&nbsp;</span>
        </div>
      ))}
    </section>
  );
}
