/** The games of the providers, as last heard: refreshed now and then, kept while a provider is away, and over a restart. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CALLS, ReplyOf } from '@fairgame/contract';
import type { Log } from '../db/db.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { ProviderGame } from './adapters/dialect.ts';

const REFRESH_MS = 60_000;
/** Until a list is there at all: a provider's program may start a little later than the site. */
const FIRST_MS = 2000;
const CATEGORIES = ['Live', 'Game Shows', 'Virtual', 'Poker', 'Others'];
/** The list is asked for again and again: that it does not come is told when it happens so often in a row. */
const TOLD_AFTER = 5;
/** Least time between two rounds of a player (trust PP-12). */
const ROUND_MS = { slots: 2500, other: 5000 };

type GameList = ReplyOf<typeof CALLS.provider.games>;

export interface ListedGame extends ProviderGame {
  readonly provider: ProviderSettings;
  readonly gameId: string;
  readonly minRoundMs: number;
  readonly slots: boolean;
}

export interface Lobby {
  /** By provider, then category; categories without games are left out (API-57). */
  list(): GameList;
  game(provider: string, code: string): ListedGame | undefined;
  /** Codes of the games whose name has this in it, any case. */
  codesNamed(part: string): string[];
  refresh(provider: string): Promise<void>;
  start(): void;
  stop(): void;
}

export function createLobby(opts: {
  providers: ReadonlyArray<{ settings: ProviderSettings; games(): Promise<ProviderGame[]> }>;
  dataDir: string;
  log: Log;
}): Lobby {
  return new ProviderLobby(opts);
}

class ProviderLobby implements Lobby {
  private readonly providers: ReadonlyArray<{ settings: ProviderSettings; games(): Promise<ProviderGame[]> }>;
  private readonly log: Log;
  private readonly folder: string;
  private readonly known = new Map<string, Map<string, ListedGame>>();
  private readonly timers = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly failures = new Map<string, number>();
  private stopped = false;

  constructor(opts: {
    providers: ReadonlyArray<{ settings: ProviderSettings; games(): Promise<ProviderGame[]> }>;
    dataDir: string;
    log: Log;
  }) {
    this.providers = opts.providers;
    this.log = opts.log;
    this.folder = join(opts.dataDir, 'providers');

    for (const { settings } of this.providers) {
      const games = kept(this.fileOf(settings.id));
      if (games) this.take(settings, games);
    }
  }

  async refresh(id: string): Promise<void> {
    const provider = this.providers.find(({ settings }) => settings.id === id);
    if (!provider) return;
    const games = await provider.games();
    // A provider that suddenly has nothing is taken for an error of its own: the games stay in the lobby.
    if (games.length === 0) return;
    this.take(provider.settings, games);
    keep(this.fileOf(id), games, this.log);
  }

  list(): GameList {
    const lists: GameList = {};
    for (const { settings } of this.providers) {
      const games = [...(this.known.get(settings.id)?.values() ?? [])];
      const groups: GameList[string] = {};
      for (const category of CATEGORIES) {
        const members = games.filter((game) => game.category === category);
        if (members.length > 0) groups[category] = members.map(record);
      }
      lists[settings.name] = groups;
    }
    return lists;
  }

  game(provider: string, code: string): ListedGame | undefined {
    return this.known.get(provider)?.get(code);
  }

  codesNamed(part: string): string[] {
    const wanted = part.toLowerCase();
    return [...this.known.values()].flatMap((games) =>
      [...games.values()].filter(({ name }) => name.toLowerCase().includes(wanted)).map(({ code }) => code),
    );
  }

  start(): void {
    for (const { settings } of this.providers) this.turn(settings.id);
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private fileOf(provider: string): string {
    return join(this.folder, `${provider}-games.json`);
  }

  private take(settings: ProviderSettings, games: readonly ProviderGame[]): void {
    this.known.set(settings.id, new Map(games.map((game) => [game.code, listed(settings, game)])));
  }

  private turn(id: string): void {
    this.refresh(id)
      .then(
        () => void this.failures.delete(id),
        (error: unknown) => {
          const times = (this.failures.get(id) ?? 0) + 1;
          this.failures.set(id, times);
          if (times === TOLD_AFTER)
            this.log.warn({ provider: id, reason: String(error) }, 'a provider gives no list of games');
        },
      )
      .finally(() => {
        if (this.stopped) return;
        const timer = setTimeout(() => this.turn(id), this.known.has(id) ? REFRESH_MS : FIRST_MS);
        timer.unref();
        this.timers.set(id, timer);
      });
  }
}

function listed(provider: ProviderSettings, game: ProviderGame): ListedGame {
  return {
    ...game,
    // Anything else a provider may call its shelf is "Others" here (LIV-05).
    category: CATEGORIES.includes(game.category) ? game.category : 'Others',
    provider,
    gameId: `${provider.id}-${game.code}`,
    minRoundMs: game.family === 'slots' ? ROUND_MS.slots : ROUND_MS.other,
    slots: game.family === 'slots',
  };
}

/** The record of the specification (LIV-04). */
function record(game: ListedGame): GameList[string][string][number] {
  const { provider } = game;
  return {
    game_id: game.gameId,
    game_name: game.name,
    category: game.category,
    provider_name: provider.name,
    sub_provider_name: game.subProvider,
    status: provider.open ? game.status : 'MAINTENANCE',
    url_thumb: thumbOf(provider, game.thumb),
    game_code: game.code,
    family: game.family,
  };
}

/** On the provider's own origin only: the content policy allows no other. */
function thumbOf({ publicOrigin }: ProviderSettings, path: string): string {
  const url = URL.canParse(path, publicOrigin) ? new URL(path, publicOrigin) : undefined;
  return url?.origin === publicOrigin ? url.href : '';
}

function keep(path: string, games: readonly ProviderGame[], log: Log): void {
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, JSON.stringify(games), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    log.warn({ err: error }, 'the list of a provider could not be stored');
  }
}

function kept(path: string): ProviderGame[] | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProviderGame[];
  } catch {
    return undefined;
  }
}
