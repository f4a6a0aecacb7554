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
import type { Dialect, ProviderGame } from './adapters/dialect.ts';
import { callbackRoutes } from './callbacks.ts';
import { createDesk } from './desk.ts';
import { createLauncher, type Launcher } from './launch.ts';
import { createLobby, type Lobby } from './lobby.ts';
import type { WalletDesk } from './movement.ts';
import { createOutbound, type Outbound } from './outbound.ts';
import { DAY_MS, reconcile } from './reconcile.ts';
import { createReports, type Reports } from './report.ts';
import { Wallet } from './wallet.ts';

export interface ProvidersOptions {
  db: Db;
  /** With player protection in front. */
  core: Core;
  config: Config;
  protection: Protection;
  audit: Audit;
  clock: () => number;
  /** Milliseconds that only go on. */
  steady: () => number;
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
  return new ProviderRoom(opts);
}

class ProviderRoom implements Providers {
  private readonly opts: ProvidersOptions;
  private readonly db: Db;
  private readonly core: Core;
  private readonly config: Config;
  private readonly protection: Protection;
  private readonly audit: Audit;
  private readonly clock: () => number;
  private readonly log: Log;
  private readonly metrics: ProviderMetrics | undefined;
  private readonly providers: {
    settings: ProviderSettings;
    dialect: Dialect;
    outbound: Outbound;
    games: () => Promise<ProviderGame[]>;
  }[];
  private readonly lobby: Lobby;
  private readonly wallet: Wallet;
  private readonly desk: WalletDesk;
  private readonly launcher: Launcher;
  private readonly readings: Pick<Db, 'query'>;
  private readonly reports: Reports;
  /** The last day known to be done, so that the log is searched once a day. */
  private done = '';
  private timer: ReturnType<typeof setInterval> | undefined;
  readonly held: Pick<Wallet, 'holds' | 'decideHeld' | 'voidable' | 'voidRound'>;

  constructor(opts: ProvidersOptions) {
    this.opts = opts;
    this.db = opts.db;
    this.core = opts.core;
    this.config = opts.config;
    this.protection = opts.protection;
    this.audit = opts.audit;
    this.clock = opts.clock;
    this.log = opts.log;
    this.metrics = opts.metrics;
    this.providers = this.config.providers.map((settings) => {
      const dialect = dialectOf(settings);
      const outbound = createOutbound({
        provider: settings.id,
        baseUrl: settings.baseUrl,
        dialect,
        steady: opts.steady,
        log: this.log,
        metrics: this.metrics,
      });
      return { settings, dialect, outbound, games: () => outbound.games() };
    });
    this.lobby = createLobby({ providers: this.providers, dataDir: this.config.dataDir, log: this.log });
    this.wallet = new Wallet({
      db: this.db,
      core: this.core,
      mayPlay: (userId) => this.protection.mayPlay(userId),
      slotRules: (userId) => this.protection.slotRules(userId),
      clock: this.clock,
      steady: opts.steady,
      log: this.log,
      limitsOf: (id) => this.config.providers.find((settings) => settings.id === id)!.limits,
      gameOf: (provider, code) => {
        const game = this.lobby.game(provider, code);
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
    this.desk = createDesk(this.db, this.wallet.holds);
    this.launcher = createLauncher({
      lobby: this.lobby,
      providerNamed: (name) => {
        const found = this.providers.find(({ settings }) => settings.name === name);
        return found && { id: found.settings.id, outbound: found.outbound };
      },
      wallet: this.wallet,
      limitsOf: (userId, game) => this.protection.launchLimits(userId, game.slots),
      log: this.log,
    });
    this.readings = {
      query: (sql, params) => this.db.report(this.core.health().seq, (source) => source.query(sql, params)),
    };
    this.reports = createReports({
      db: this.readings,
      lobby: this.lobby,
      desk: this.desk,
      providers: this.providers,
      log: this.log,
    });
    this.held = this.wallet;
  }

  async tick(): Promise<void> {
    const day = this.yesterday();
    if (this.providers.length === 0 || day === this.done || this.clock() % DAY_MS < DAY_OVER_MS) return;
    if (await this.audit.has(DAILY, `day:${day}`)) {
      this.done = day;
      return;
    }
    const told = await this.reconciled(day);
    for (const { provider, differences } of told)
      if (differences.length > 0) this.log.error({ provider, day, differences: differences.length }, 'books differ');
    if (told.some(({ reachable }) => !reachable)) return;
    await this.audit.record({ actor: 'core', action: DAILY, object: `day:${day}`, detail: counted(told) });
    this.done = day;
  }

  routes(http: Http): void {
    for (const { settings, dialect } of this.providers) {
      callbackRoutes(http, {
        db: this.db,
        provider: settings.id,
        dialect,
        wallet: this.wallet,
        clock: this.clock,
        log: this.log,
        metrics: this.metrics,
        open: () => settings.open,
      });
    }
    const { provider } = CALLS;
    http.route(provider.games, () => this.lobby.list());
    http.route(provider.providers, () => this.providers.map(({ settings }) => settings.name));
    http.route(provider.launch, ({ body, session, req }) => {
      if (this.providers.length === 0) throw new CodedError('NOT_OPEN_YET');
      return this.launcher.launch(
        session,
        body,
        this.config.publicOrigin ?? `${req.protocol}://${req.headers.host ?? ''}`,
      );
    });
    http.route(provider.bets, ({ params, query, session }) => {
      // The owner is the session's own user, whatever the path says (CAR-23).
      if (Number(params.id) !== session.userId) throw new CodedError('NOT_ALLOWED', { field: 'id' });
      return this.reports.bets(session, query);
    });
    http.route(provider.round, ({ params, session }) => this.reports.round(session, Number(params.id)));
    http.route(provider.reconcile, async ({ body, session }) => {
      const day = body.day ?? this.yesterday();
      if (!Number.isFinite(Date.parse(day))) throw new CodedError('BAD_INPUT', { field: 'day' });
      const told = await this.reconciled(day);
      const differences = told.reduce((sum, one) => sum + one.differences.length, 0);
      await this.audit.record({
        actor: `operator:${session.userName}`,
        action: 'provider.reconcile',
        object: `day:${day}`,
        detail: counted(told),
      });
      return { day, clean: differences === 0 && told.every(({ reachable }) => reachable), providers: told };
    });
    http.route(provider.openRounds, async ({ query }) => {
      const rounds = await this.wallet.openRounds(this.clock() - Number(query.hours ?? 24) * 3_600_000);
      return rounds.map(openRound);
    });
  }

  endSessions(userId: number, siteSessions: readonly string[]): Promise<void> {
    return this.providers.length === 0 ? Promise.resolve() : this.wallet.endSessions(userId, siteSessions);
  }

  start(): void {
    this.lobby.start();
    this.timer = setInterval(() => {
      if (!this.opts.isAlone()) return;
      this.tick().catch((error: unknown) => this.log.error({ err: error }, 'the day could not be reconciled'));
    }, TICK_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.lobby.stop();
  }

  private async reconciled(day: string) {
    const from = Date.parse(`${day}T00:00:00Z`);
    const told = [];
    for (const { settings, outbound } of this.providers) {
      try {
        const found = await reconcile(settings.id, outbound, this.desk, from, from + DAY_MS, this.clock());
        this.metrics?.unreconciled(settings.id, found.differences.length);
        told.push({ provider: settings.name, reachable: true, ...found });
      } catch (error) {
        this.log.error({ err: error, provider: settings.id }, 'a provider could not be reconciled');
        told.push({ provider: settings.name, reachable: false, theirs: 0, ours: 0, pending: 0, differences: [] });
      }
    }
    return told;
  }

  private yesterday(): string {
    return new Date(this.clock() - DAY_MS).toISOString().slice(0, 10);
  }
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
