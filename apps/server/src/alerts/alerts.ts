/**
 * What the server watches for players: prices, sizes, goals, results, their own bets. One process of the site looks, at what
 * the site shows; what comes true is written down first and told then, so it is told at most once: to the player's pages,
 * and by web push to the browsers he named.
 */
import { ALERT_WAYS, type Alert, type AlertNews, CALLS, CodedError, zoneNamed } from '@fairgame/contract';
import { type Alone, type Bus, doAlone, pack, type Stop, unpack } from '../bus/bus.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Live } from '../live/live.ts';
import type { Push, PushMessage } from '../push/push.ts';
import { judgeAlert } from './judge.ts';
import { Keeper } from './keeper.ts';
import { silentAt } from './quiet.ts';
import { AlertRows, type Ended, type News } from './rows.ts';

export interface AlertsOptions {
  db: Db;
  bus: Bus;
  core: Core;
  catalog: Catalog;
  push: Pick<Push, 'send'>;
  clock: () => number;
  log: Log;
  /** Names this process. */
  owner: string;
}

const CHANGED = 'ctl.alerts.changed';
const FIRED = 'ctl.alerts.fired';
const OVER = 'ctl.alerts.over';
interface Changed {
  id: number;
  /** The command of the log up to which the gateway knew it. A gateway of a version before says nothing of it. */
  seq?: number;
}

/** A message between processes is a megabyte at most. */
const MOST_TOLD = 200;

export class Alerts {
  private readonly options: AlertsOptions;
  private readonly rows: AlertRows;
  private readonly alone: Alone<Keeper>;
  /** That looks, or begins to: it hears of changes before it has read them all. */
  private keeper: Keeper | null = null;
  private readonly stops: Stop[];

  constructor(options: AlertsOptions) {
    const { db, bus, core, catalog, clock, log, owner } = options;
    this.options = options;
    this.rows = new AlertRows(db, clock);
    this.alone = doAlone({
      bus,
      owner,
      log,
      name: 'alerts',
      begin: async () => {
        const keeper = new Keeper({
          rows: this.rows,
          core,
          catalog,
          clock,
          log,
          tell: (news) => this.tell(news),
          tellOver: (ended) => this.tellOver(ended),
        });
        this.keeper = keeper;
        if (!bus.hears()) keeper.hearing(false);
        try {
          await keeper.begin();
        } catch (error) {
          await keeper.stop();
          throw error;
        }
        return keeper;
      },
    });
    this.stops = [
      bus.hear(CHANGED, (body) => {
        const { id, seq } = unpack<Changed>(body);
        void this.keeper?.changed(id, seq ?? null);
      }),
      bus.onHearing((hears) => this.keeper?.hearing(hears)),
    ];
  }

  /** From then on this process may be the one that looks. */
  start(): Promise<void> {
    return this.alone.start();
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    await this.alone.stop();
  }

  /** The player's pages of this gateway hear what came true. */
  useSockets(live: Pick<Live, 'tell'>): void {
    this.stops.push(
      this.options.bus.hear(FIRED, (body) => {
        for (const { userId, ...news } of unpack<Array<AlertNews & { userId: number }>>(body))
          live.tell(userId, 'userAlert', { ...news });
      }),
      this.options.bus.hear(OVER, (body) => {
        const ofUsers = new Map<number, Alert[]>();
        for (const { userId, alert } of unpack<Ended[]>(body))
          ofUsers.set(userId, [...(ofUsers.get(userId) ?? []), alert]);
        for (const [userId, alerts] of ofUsers) live.tell(userId, 'userAlertsOver', { alerts });
      }),
    );
  }

  routes(http: Http): void {
    const { alerts: calls } = CALLS;
    const { catalog, core } = this.options;
    http.route(calls.list, async ({ session: { userId } }) => ({
      alerts: await this.rows.ofUser(userId),
      quiet: await this.rows.quiet(userId),
    }));
    http.route(calls.create, async ({ session: { userId, world }, body }) => {
      const { seq } = core.health();
      const made = await this.rows.create(userId, world, judgeAlert(catalog, world, body));
      return this.told(made, seq, 'The alert is set.');
    });
    http.route(calls.change, async ({ session: { userId, world }, body: { id, ...body } }) => {
      const { seq } = core.health();
      const changed = await this.rows.change(userId, id, judgeAlert(catalog, world, body));
      if (!changed) throw new CodedError('NOT_FOUND', { field: 'id' });
      return this.told(changed, seq, 'The alert is changed.');
    });
    http.route(calls.remove, async ({ session: { userId }, body: { id } }) => {
      if (!(await this.rows.remove(userId, id))) throw new CodedError('NOT_FOUND', { field: 'id' });
      this.options.bus.tell(CHANGED, pack({ id } satisfies Changed));
      return { data: null, message: 'The alert is taken away.' };
    });
    http.route(calls.setQuiet, async ({ session: { userId }, body: { quiet } }) => {
      const named = { ...quiet };
      for (const way of ALERT_WAYS) {
        const hours = quiet[way];
        const zone = hours && zoneNamed(hours.zone);
        if (hours && !zone) throw new CodedError('BAD_INPUT', { field: `quiet.${way}.zone` });
        named[way] = hours && { ...hours, zone: zone! };
      }
      await this.rows.setQuiet(userId, named);
      const some = ALERT_WAYS.some((way) => quiet[way]);
      return { data: null, message: some ? 'The quiet hours are set.' : 'There are no quiet hours.' };
    });
  }

  private told(alert: Alert, seq: number, message: string) {
    this.options.bus.tell(CHANGED, pack({ id: alert.id, seq } satisfies Changed));
    return { data: alert, message };
  }

  private tell(all: News[]): void {
    const { bus, push, clock } = this.options;
    const now = clock();
    const told = all.map(({ quiet, ...news }) => ({ ...news, silent: silentAt(quiet, now) }));
    for (let from = 0; from < told.length; from += MOST_TOLD) bus.tell(FIRED, pack(told.slice(from, from + MOST_TOLD)));
    const pushed = told.filter(({ silent }) => !silent.includes('PUSH'));
    push.send(pushed.map(({ userId, alert }) => ({ userId, message: messageOf(alert) })));
  }

  /** In the pages alone: that nothing came true is no reason to wake anybody. */
  private tellOver(ended: Ended[]): void {
    for (let from = 0; from < ended.length; from += MOST_TOLD)
      this.options.bus.tell(OVER, pack(ended.slice(from, from + MOST_TOLD)));
  }
}

/** Lies open on a locked screen: what everybody may know of the event, and nothing of the player's own. */
function messageOf({ kind, matchId, matchType, eventName }: Alert): PushMessage {
  return kind === 'BET'
    ? { kind, event: '', match: null }
    : { kind, event: eventName, match: matchId === null ? null : { id: matchId, matchType } };
}
