/**
 * Live casino of two providers over a seamless wallet. Where none is configured the product is not open: empty lists, and
 * no game opens. The wire to the providers, and how another one is added: docs/providers.md.
 */
import { CALLS, CodedError } from '@fairgame/contract';
import type { Config } from '../config.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Audit, ProviderMetrics } from '../ops/ops.ts';
import type { Protection } from '../protection/protection.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import { dialectA } from './adapters/a.ts';
import { dialectB } from './adapters/b.ts';
import type { Dialect } from './adapters/dialect.ts';
import { callbackRoutes } from './callbacks.ts';
import { createDesk } from './desk.ts';
import { createLauncher } from './launch.ts';
import { createLobby, type Lobby } from './lobby.ts';
import { createOutbound } from './outbound.ts';
import { DAY_MS, reconcile } from './reconcile.ts';
import { createReports } from './report.ts';
import { Wallet } from './wallet.ts';

export interface ProvidersOptions {
  db: Db;
  /** With player protection in front. */
  core: Core;
  config: Config;
  protection: Protection;
  audit: Audit;
  clock: () => number;
  log: Log;
  metrics?: ProviderMetrics;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
}

export interface Providers {
  routes(http: Http): void;
  /** Wins that wait for a person. */
  held: Pick<Wallet, 'holds' | 'decideHeld' | 'voidable' | 'voidRound'>;
  /** The games that were opened in these sessions of the site end: debits need a new launch. */
  endSessions(userId: number, siteSessions: readonly string[]): Promise<void>;
  /** Begins to ask the providers for their games, and to reconcile each day with them. */
  start(): void;
  /**
   * What the timer does: reconciles yesterday (UTC) once, half an hour into today. Until every provider answered it is tried
   * again at the next call; that it is done is in the audit log, so that a restart does not do it anew.
   */
  tick(): Promise<void>;
  stop(): void;
}

/** Late deliveries and clocks a little apart: the day is over for everybody by then. */
const DAY_OVER_MS = 30 * 60_000;
const TICK_MS = 20 * 60_000;
const DAILY = 'provider.reconcile.daily';

export function createProviders(opts: ProvidersOptions): Providers {
  const { db, core, config, protection, audit, clock, log, metrics } = opts;
  const providers = config.providers.map((settings) => {
    const dialect = dialectOf(settings);
    const outbound = createOutbound({
      provider: settings.id,
      baseUrl: settings.baseUrl,
      dialect,
      clock,
      log,
      metrics,
    });
    return { settings, dialect, outbound, games: () => outbound.games() };
  });
  const lobby: Lobby = createLobby({ providers, dataDir: config.dataDir, log });
  const wallet = new Wallet({
    db,
    core,
    mayPlay: (userId) => protection.mayPlay(userId),
    slotRules: (userId) => protection.slotRules(userId),
    clock,
    log,
    limitsOf: (id) => config.providers.find((settings) => settings.id === id)!.limits,
    gameOf(provider, code) {
      const game = lobby.game(provider, code);
      return (
        game && {
          providerName: game.provider.name,
          gameName: game.name,
          minRoundMs: game.minRoundMs,
          slots: game.slots,
        }
      );
    },
  });
  const desk = createDesk(db, wallet.holds);
  const launcher = createLauncher({
    lobby,
    providerNamed(name) {
      const found = providers.find(({ settings }) => settings.name === name);
      return found && { id: found.settings.id, outbound: found.outbound };
    },
    wallet,
    limitsOf: (userId, game) => protection.launchLimits(userId, game.slots),
    log,
  });
  const readings: Pick<Db, 'query'> = {
    query: (sql, params) => db.report(core.health().seq, (source) => source.query(sql, params)),
  };
  const reports = createReports({ db: readings, lobby, desk, providers, log });

  async function reconciled(day: string) {
    const from = Date.parse(`${day}T00:00:00Z`);
    const told = [];
    for (const { settings, outbound } of providers) {
      try {
        const found = await reconcile(settings.id, outbound, desk, from, from + DAY_MS, clock());
        metrics?.unreconciled(settings.id, found.differences.length);
        told.push({ provider: settings.name, reachable: true, ...found });
      } catch (error) {
        log.error({ err: error, provider: settings.id }, 'a provider could not be reconciled');
        told.push({ provider: settings.name, reachable: false, theirs: 0, ours: 0, pending: 0, differences: [] });
      }
    }
    return told;
  }

  const yesterday = (): string => new Date(clock() - DAY_MS).toISOString().slice(0, 10);

  /** The last day known to be done, so that the log is searched once a day. */
  let done = '';
  async function tick(): Promise<void> {
    const day = yesterday();
    if (providers.length === 0 || day === done || clock() % DAY_MS < DAY_OVER_MS) return;
    if (await audit.has(DAILY, `day:${day}`)) {
      done = day;
      return;
    }
    const told = await reconciled(day);
    for (const { provider, differences } of told)
      if (differences.length > 0) log.error({ provider, day, differences: differences.length }, 'books differ');
    if (told.some(({ reachable }) => !reachable)) return;
    await audit.record({ actor: 'core', action: DAILY, object: `day:${day}`, detail: counted(told) });
    done = day;
  }
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    held: wallet,
    routes(http) {
      for (const { settings, dialect } of providers) {
        callbackRoutes(http, {
          db,
          provider: settings.id,
          dialect,
          wallet,
          clock,
          log,
          metrics,
          open: () => settings.open,
        });
      }
      const { provider } = CALLS;
      http.route(provider.games, () => lobby.list());
      http.route(provider.providers, () => providers.map(({ settings }) => settings.name));
      http.route(provider.launch, ({ body, session, req }) => {
        if (providers.length === 0) throw new CodedError('NOT_OPEN_YET');
        return launcher.launch(session, body, config.publicOrigin ?? `${req.protocol}://${req.headers.host ?? ''}`);
      });
      http.route(provider.bets, ({ params, query, session }) => {
        // The owner is the session's own user, whatever the path says (CAR-23).
        if (Number(params.id) !== session.userId) throw new CodedError('NOT_ALLOWED', { field: 'id' });
        return reports.bets(session, query);
      });
      http.route(provider.round, ({ params, session }) => reports.round(session, Number(params.id)));
      http.route(provider.reconcile, async ({ body, session }) => {
        const day = body.day ?? yesterday();
        if (!Number.isFinite(Date.parse(day))) throw new CodedError('BAD_INPUT', { field: 'day' });
        const told = await reconciled(day);
        const differences = told.reduce((sum, one) => sum + one.differences.length, 0);
        await audit.record({
          actor: `operator:${session.userName}`,
          action: 'provider.reconcile',
          object: `day:${day}`,
          detail: counted(told),
        });
        return { day, clean: differences === 0 && told.every(({ reachable }) => reachable), providers: told };
      });
      http.route(provider.openRounds, async ({ query }) => {
        const rounds = await wallet.openRounds(clock() - Number(query.hours ?? 24) * 3_600_000);
        return rounds.map(openRound);
      });
    },
    endSessions: (userId, siteSessions) =>
      providers.length === 0 ? Promise.resolve() : wallet.endSessions(userId, siteSessions),
    start() {
      lobby.start();
      timer = setInterval(() => {
        if (!opts.isAlone()) return;
        tick().catch((error: unknown) => log.error({ err: error }, 'the day could not be reconciled'));
      }, TICK_MS);
      timer.unref();
    },
    tick,
    stop() {
      clearInterval(timer);
      lobby.stop();
    },
  };
}

const openRound = (round: Awaited<ReturnType<Wallet['openRounds']>>[number]) => ({
  provider: round.provider,
  userId: round.accountId,
  userName: round.userName,
  round: round.roundId,
  game: round.label,
  stake: round.stakeMinor,
  paid: round.paidMinor,
  openedAt: new Date(round.openedAt).toISOString(),
});

/** For the audit log: how many differences, not which. */
const counted = (told: ReadonlyArray<{ differences: readonly unknown[] }>) =>
  told.map((one) => ({ ...one, differences: one.differences.length }));

function dialectOf({ id, keys }: ProviderSettings): Dialect {
  return keys.dialect === 'a' ? dialectA(id, keys.secrets) : dialectB(id, keys);
}
