/** Alerts as the database has them: the truth, whichever process watches. */
import {
  ALERT_PAUSE_MS,
  type Alert,
  type AlertEnd,
  type AlertKind,
  CodedError,
  MOST_ALERTS,
  type QuietByWay,
  type QuietHours,
  type SportKey,
} from '@fairgame/contract';
import type { World } from '../core/types.ts';
import type { Db, Query } from '../db/db.ts';
import { markOf } from './figures.ts';
import type { Judged, Names } from './judge.ts';
import { type Met, metSince } from './missed.ts';
import type { Fired, Watched } from './watch.ts';

interface Row {
  id: number;
  user_id: number;
  world: World;
  kind: AlertKind;
  market_id: number | null;
  event_id: number | null;
  runner_id: number | null;
  figure: 'BACK' | 'LAY' | 'LAST' | null;
  direction: 'UP' | 'DOWN' | null;
  price: number | null;
  amount_minor: number | null;
  seconds: number | null;
  every: boolean;
  names: string;
  state: 'WAITING' | 'FIRED' | 'OVER';
  ended: AlertEnd | null;
  revision: number;
  created_at: number;
  fired_at: number | null;
  times: number;
}

/** What came true and was written down: whom to tell of what. */
export interface News {
  userId: number;
  alert: Alert;
  seen: number | null;
  quiet: QuietByWay;
}

/** What waits no more, and whom to tell. */
export interface Ended {
  userId: number;
  alert: Alert;
}

const PAGE = 5000;
const DAY_MS = 86_400_000;
/** What has fired or is over stands in the list for so long. */
const SHOWN_MS = 30 * DAY_MS;

export class AlertRows {
  private readonly db: Db;
  private readonly clock: () => number;

  constructor(db: Db, clock: () => number) {
    this.db = db;
    this.clock = clock;
  }

  async ofUser(userId: number): Promise<Alert[]> {
    const rows = await this.db.query<Row>('SELECT * FROM alerts WHERE user_id = $1 ORDER BY id DESC', [userId]);
    return rows.map(toAlert);
  }

  /** Throws ALERT_LIMIT where all that stand wait. */
  create(userId: number, world: World, judged: Judged): Promise<Alert> {
    return this.db.tx(async (q) => {
      await this.makeRoom(q, userId);
      const [row] = await q<Row>(
        `INSERT INTO alerts (user_id, world, created_at, ${COLUMNS}) VALUES ($1, $2, $3, ${places(4)}) RETURNING *`,
        [userId, world, this.clock(), ...values(judged)],
      );
      return toAlert(row!);
    });
  }

  /** Null where the player has no such alert. */
  async change(userId: number, id: number, judged: Judged): Promise<Alert | null> {
    const [row] = await this.db.query<Row>(
      `UPDATE alerts SET (${COLUMNS}) = (${places(4)}), state = 'WAITING', revision = revision + 1, fired_at = NULL,
              created_at = $3 WHERE user_id = $1 AND id = $2 RETURNING *`,
      [userId, id, this.clock(), ...values(judged)],
    );
    return row ? toAlert(row) : null;
  }

  async remove(userId: number, id: number): Promise<boolean> {
    const gone = await this.db.query('DELETE FROM alerts WHERE user_id = $1 AND id = $2 RETURNING id', [userId, id]);
    return gone.length > 0;
  }

  async quiet(userId: number): Promise<QuietByWay> {
    const [row] = await this.db.query<Quiet>('SELECT quiet, quiet_ways FROM alert_settings WHERE user_id = $1', [
      userId,
    ]);
    return quietOf(row);
  }

  /** A version behind knows the hours of pushes as those of all ways. */
  async setQuiet(userId: number, quiet: QuietByWay): Promise<void> {
    await this.db.query(
      `INSERT INTO alert_settings (user_id, quiet, quiet_ways) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET quiet = EXCLUDED.quiet, quiet_ways = EXCLUDED.quiet_ways`,
      [userId, quiet.PUSH && JSON.stringify(quiet.PUSH), JSON.stringify(quiet)],
    );
  }

  /** Up to which command of the log somebody has looked; null: nobody ever did. */
  async lookedTo(): Promise<number | null> {
    const [row] = await this.db.query<{ seq: number }>('SELECT seq FROM alert_watch');
    return row?.seq ?? null;
  }

  async keepLookedTo(seq: number): Promise<void> {
    await this.db.query(
      `INSERT INTO alert_watch AS a (one, seq) VALUES (true, $1)
       ON CONFLICT (one) DO UPDATE SET seq = EXCLUDED.seq WHERE a.seq < EXCLUDED.seq`,
      [seq],
    );
  }

  /** What became of own bets of these players behind that command. */
  metSince(userIds: readonly number[], seq: number): Promise<Met[]> {
    return metSince(this.db, userIds, seq);
  }

  /** All that wait, with a higher id than that, a page at a time. */
  async *waiting(above = 0): AsyncGenerator<Watched[]> {
    for (let after = above; ; ) {
      const rows = await this.db.query<Row>(
        `SELECT * FROM alerts WHERE state = 'WAITING' AND id > $1 ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      yield rows.map(toWatched);
      if (rows.length < PAGE) return;
      after = rows.at(-1)!.id;
    }
  }

  /** Undefined where it does not wait any more. */
  async one(id: number): Promise<Watched | undefined> {
    const [row] = await this.db.query<Row>("SELECT * FROM alerts WHERE id = $1 AND state = 'WAITING'", [id]);
    return row && toWatched(row);
  }

  /**
   * Writes down what came true, and answers what is to be told: what was told by another process, or was changed or taken away
   * meanwhile, is not among it.
   */
  async fire(fired: readonly Fired[]): Promise<News[]> {
    const seen = new Map(fired.map((one) => [one.watched.id, one.seen]));
    const rows = await this.db.query<Row & Quiet>(
      `UPDATE alerts a SET state = CASE WHEN a.every THEN 'WAITING' ELSE 'FIRED' END, fired_at = f.at, times = a.times + 1
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS f (id, revision, at)
       WHERE a.id = f.id AND a.revision = f.revision AND a.state = 'WAITING' AND (a.fired_at IS NULL OR a.fired_at <= f.at - $4::bigint)
       RETURNING a.*, (SELECT s.quiet FROM alert_settings s WHERE s.user_id = a.user_id) AS quiet,
                 (SELECT s.quiet_ways FROM alert_settings s WHERE s.user_id = a.user_id) AS quiet_ways`,
      [
        fired.map(({ watched }) => watched.id),
        fired.map(({ watched }) => watched.revision),
        fired.map(({ at }) => at),
        ALERT_PAUSE_MS,
      ],
    );
    return rows.map((row) => ({
      userId: row.user_id,
      alert: toAlert(row),
      seen: seen.get(row.id) ?? null,
      quiet: quietOf(row),
    }));
  }

  /** They wait no more, each for its reason; answers those that did until now. */
  async over(ended: ReadonlyMap<number, AlertEnd>): Promise<Ended[]> {
    const rows = await this.db.query<Row>(
      `UPDATE alerts a SET state = 'OVER', ended = f.ended FROM unnest($1::bigint[], $2::text[]) AS f (id, ended)
       WHERE a.id = f.id AND a.state = 'WAITING' RETURNING a.*`,
      [[...ended.keys()], [...ended.values()]],
    );
    return rows.map((row) => ({ userId: row.user_id, alert: toAlert(row) }));
  }

  /** What nobody looks at any more, and what is of players that are gone. */
  async forgetOld(): Promise<void> {
    await this.db.query(
      "DELETE FROM alerts WHERE state <> 'WAITING' AND greatest(created_at, coalesce(fired_at, 0)) < $1",
      [this.clock() - SHOWN_MS],
    );
    for (const table of ['alerts', 'alert_settings'])
      await this.db.query(`DELETE FROM ${table} t WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.id = t.user_id)`);
  }

  /** One player's alerts are counted by one process at a time. */
  private async makeRoom(q: Query, userId: number): Promise<void> {
    await q('SELECT id FROM users WHERE id = $1 FOR UPDATE', [userId]);
    const [count] = await q<{ n: number }>('SELECT count(*) AS n FROM alerts WHERE user_id = $1', [userId]);
    if (count!.n < MOST_ALERTS) return;
    const gone = await q(
      `DELETE FROM alerts WHERE id = (
         SELECT id FROM alerts WHERE user_id = $1 AND state <> 'WAITING' ORDER BY id LIMIT 1) RETURNING id`,
      [userId],
    );
    if (gone.length === 0) throw new CodedError('ALERT_LIMIT', { field: 'kind' });
  }
}

const COLUMNS = 'kind, market_id, event_id, runner_id, figure, direction, price, amount_minor, seconds, every, names';
const places = (from: number): string => Array.from({ length: 11 }, (_, i) => `$${from + i}`).join(', ');
const values = (one: Judged): unknown[] => [
  one.kind,
  one.marketId,
  one.eventId,
  one.runnerId,
  one.figure,
  one.when,
  one.price,
  one.amountMinor,
  one.seconds,
  one.every,
  JSON.stringify(one.names),
];

interface Quiet {
  /** For all ways: as they were kept before each had its own. */
  quiet: string | null;
  quiet_ways: string | null;
}

function quietOf(row: Quiet | undefined): QuietByWay {
  if (row?.quiet_ways) return JSON.parse(row.quiet_ways) as QuietByWay;
  const all = row?.quiet ? (JSON.parse(row.quiet) as QuietHours) : null;
  return { SOUND: all, NOTICE: all, PUSH: all };
}

function toAlert(row: Row): Alert {
  const names = JSON.parse(row.names) as Names;
  return {
    id: row.id,
    kind: row.kind,
    betId: row.market_id,
    matchId: row.event_id,
    beventId: names.beventId,
    matchType: names.matchType as SportKey | null,
    eventName: names.event,
    bettingName: names.market,
    runnerId: row.runner_id,
    teamName: names.runner,
    figure: row.figure,
    when: row.direction,
    price: row.price,
    amountMinor: row.amount_minor,
    seconds: row.seconds,
    every: row.every,
    state: row.state,
    ended: row.state === 'OVER' ? (row.ended ?? 'GONE') : null,
    createdAt: new Date(row.created_at).toISOString(),
    firedAt: row.fired_at === null ? null : new Date(row.fired_at).toISOString(),
    times: row.times,
  };
}

function toWatched(row: Row): Watched {
  const wish = {
    kind: row.kind,
    runnerId: row.runner_id,
    figure: row.figure,
    when: row.direction,
    price: row.price,
    amountMinor: row.amount_minor,
    seconds: row.seconds,
  };
  return {
    ...wish,
    at: markOf(wish),
    id: row.id,
    userId: row.user_id,
    world: row.world,
    marketId: row.market_id,
    eventId: row.event_id,
    every: row.every,
    revision: row.revision,
    createdAt: row.created_at,
    firedAt: row.fired_at,
  };
}
