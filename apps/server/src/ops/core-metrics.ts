/** What the core, the feed, the sockets and the database tell a scrape, by the names of trust 6.2. */
import { type Event, FIRST_PLAYER } from '@fairgame/exchange';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Committed, Core, CoreMeter } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import { tally } from './tally.ts';

/** Read at every scrape; nothing of it may be slow. */
export interface Watched {
  core: Core;
  db: Db;
  /** Where this process knows of the feed. */
  feed?: {
    kind: string;
    /** Null without a feed. */
    lastHeardAt(): number | null;
    connected(): boolean;
    troubles(): number;
    refused: () => number;
    /** Markets that wait for a person. */
    attention(): Array<{ why: string }>;
  };
  /** Where this process has any. */
  sockets?: () => SocketCounts;
  /** Milliseconds since 1970; null before the first. */
  lastBackupAt: () => number | null;
  clock: () => number;
}

export interface SocketCounts {
  /** Open ones by namespace. */
  open: Record<string, number>;
  /** Ended connections by reason. */
  ended: Record<string, number>;
  /** Open connections by what carries them: websocket, polling. */
  carried: Record<string, number>;
  /** Images asked for again because a client's did not fit. */
  resyncs: number;
  /** Events that came, and that were sent, by name; a name that nobody listens to is `other`. */
  messages: Record<'in' | 'out', Record<string, number>>;
  /** Bytes that wait in this process, of each reader. */
  buffered: number[];
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Suspensions are counted by reasons of the program; what people and feeds write is `other`. */
const REASONS = new Set([
  'Feed lost',
  'Source lost',
  'Price check',
  'Prices are late',
  'Restarted',
  'Betting was interrupted',
  'Under review',
]);

export function createCoreMeter(registry: Registry): CoreMeter {
  const registers = [registry];
  const countCommand = tally({
    name: 'xch_core_commands_total',
    help: 'Commands by kind and outcome: taken, or the code of the refusal',
    labelNames: ['type', 'result'],
    registry,
  });
  const ack = new Histogram({
    name: 'xch_ack_seconds',
    help: 'From the hand-in of a command to its answer, the commit included',
    labelNames: ['type'],
    buckets: SECONDS,
    registers,
  });
  const apply = new Histogram({
    name: 'xch_core_apply_seconds',
    help: 'A command in memory, without its commit',
    buckets: [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5],
    registers,
  });
  const commit = new Histogram({
    name: 'xch_commit_seconds',
    help: 'From sending a batch to the database to its commit',
    buckets: SECONDS,
    registers,
  });
  const batch = new Histogram({
    name: 'xch_commit_batch_size',
    help: 'Commands in a batch',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const replays = new Counter({
    name: 'xch_idempotent_replays_total',
    help: 'Requests that got the first answer of their key',
    registers,
  });
  return {
    applied: (seconds) => apply.observe(seconds),
    committed(size, seconds) {
      commit.observe(seconds);
      batch.observe(size);
    },
    decided(type, result, seconds) {
      countCommand(type, result);
      if (result === 'taken') ack.observe({ type }, seconds);
    },
    replayed: () => replays.inc(),
  };
}

export function watchSite(registry: Registry, { core, db, feed, sockets, lastBackupAt, clock }: Watched): void {
  const gauges = gaugesOf(registry);
  watchCore(gauges, core, feed);
  watchLanes(gauges, db, lastBackupAt);
  if (feed) watchFeed(gauges, feed, clock);
  if (sockets) {
    watchSockets(gauges, sockets);
    watchMessages(registry, sockets);
  }
  watchDatabase(registry, db, clock);
  watchMoney(registry, core);
  watchFollowing(registry, core, clock);
}

type Gauges = ReturnType<typeof gaugesOf>;

function gaugesOf(registry: Registry) {
  const gauge = (name: string, help: string, read: () => number): void => {
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(read()) });
  };
  /** A family whose labels come and go. */
  const family = (name: string, help: string, label: string, read: () => Record<string, number>): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        made.reset();
        for (const [value, count] of Object.entries(read())) made.set({ [label]: value }, count);
      },
    });
  };
  return { gauge, family };
}

function watchCore({ gauge, family }: Gauges, core: Watched['core'], feed: Watched['feed']): void {
  const health = () => core.health();

  gauge('xch_core_queue_depth', 'Commands waiting for the writer', () => health().queueDepth);
  gauge('xch_core_queue_age_seconds', 'Age of the oldest waiting command', () => health().oldestMs / 1000);
  gauge(
    'xch_core_demo_queue_depth',
    'Commands of play money waiting for the writer, in a line of their own',
    () => health().demoQueueDepth,
  );
  gauge(
    'xch_core_demo_queue_age_seconds',
    'Age of the oldest waiting command of play money',
    () => health().demoOldestMs / 1000,
  );
  gauge('xch_core_seq', 'Last committed command', () => health().seq);
  gauge('xch_core_epoch', 'Epoch of the writer', () => health().epoch);
  gauge('xch_core_failing', '1 while commits fail', () => (health().failingSince === null ? 0 : 1));
  gauge(
    'xch_core_broken_invariants',
    'Broken invariants since the start; anything but 0 needs a person',
    () => health().breaks,
  );
  gauge(
    'xch_work_stuck',
    'Markets whose result could not be booked to its end; anything but 0 needs a person',
    () => health().stuck.length,
  );
  gauge(
    'xch_exposure_mismatch_total',
    'Accounts whose exposure was not what their markets make of it, since the start: must be 0',
    () => health().mismatches,
  );
  gauge('xch_settlement_backlog', 'Markets that wait for a result, or for its end', () => {
    const settling = core.read.markets().filter(({ status }) => status === 'SETTLING').length;
    return settling + (feed?.attention() ?? []).filter(({ why }) => why === 'result' || why === 'forsaken').length;
  });
  gauge('xch_leader', '1 while this process writes', () => {
    const { leads, available } = health();
    return leads && available ? 1 : 0;
  });
  family('xch_markets', 'Markets in memory by status', 'state', () => {
    const counts: Record<string, number> = { OPEN: 0, SUSPENDED: 0, SETTLING: 0, CLOSED: 0 };
    for (const { status } of core.read.markets()) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  });
}

function watchLanes({ gauge, family }: Gauges, db: Watched['db'], lastBackupAt: Watched['lastBackupAt']): void {
  gauge(
    'xch_backup_last_success_timestamp_seconds',
    'When the newest backup was made; 0 before the first',
    () => (lastBackupAt() ?? 0) / 1000,
  );
  gauge('xch_db_up', '1 while the database answers', () => (db.healthy() ? 1 : 0));
  const lanes = (read: (lane: ReturnType<Db['lanes']>[number]) => number) => () =>
    Object.fromEntries(db.lanes().map((lane) => [lane.lane, read(lane)]));
  family(
    'pg_pool_open',
    'Connections to the database',
    'lane',
    lanes((lane) => lane.open),
  );
  family(
    'pg_pool_idle',
    'Connections that nobody uses',
    'lane',
    lanes((lane) => lane.idle),
  );
  family(
    'pg_pool_waiting',
    'Statements that wait for a connection',
    'lane',
    lanes((lane) => lane.waiting),
  );
  family(
    'pg_pool_refused',
    'Statements refused for want of a connection since the start',
    'lane',
    lanes((lane) => lane.refused),
  );
  const sources = db.reportSources();
  if (sources)
    family(
      'xch_reports_read',
      'Reports since the start, read from the replica, or else why not',
      'from',
      () => sources,
    );
}

function watchFeed({ gauge, family }: Gauges, feed: NonNullable<Watched['feed']>, clock: Watched['clock']): void {
  const source = () => feed.kind;
  family('xch_feed_age_seconds', 'Since the feed was last heard', 'source', () => {
    const at = feed.lastHeardAt();
    return at === null ? {} : { [source()]: Math.max(0, clock() - at) / 1000 };
  });
  family('xch_feed_connected', '1 while the source of the feed answers', 'source', () => ({
    [source()]: feed.connected() ? 1 : 0,
  }));
  family('xch_feed_troubles', 'Troubles with the source since the start', 'source', () => ({
    [source()]: feed.troubles(),
  }));
  gauge('xch_feed_refused', 'Commands of the feed that the core refused since the start', feed.refused);
  family('xch_market_attention', 'Markets that wait for an operator', 'why', () => {
    const counts: Record<string, number> = { forsaken: 0, jump: 0, result: 0, overdue: 0 };
    for (const { why } of feed.attention()) counts[why] = (counts[why] ?? 0) + 1;
    return counts;
  });
}

function watchSockets({ family }: Gauges, sockets: NonNullable<Watched['sockets']>): void {
  family('xch_socket_connections', 'Open connections', 'transport', () => sockets().carried);
  family('xch_socket_open', 'Open sockets; a connection carries several', 'namespace', () => sockets().open);
  family('xch_socket_disconnects_total', 'Ended connections since the start', 'reason', () => sockets().ended);
  family('xch_socket_resync_total', 'Images asked for again since the start', 'reason', () => ({
    gap: sockets().resyncs,
  }));
}

function watchMessages(registry: Registry, sockets: () => SocketCounts): void {
  const registers = [registry];
  const messages: Gauge = new Gauge({
    name: 'xch_socket_messages_total',
    help: 'Events over sockets since the start',
    labelNames: ['dir', 'event'],
    registers,
    collect() {
      for (const [dir, counts] of Object.entries(sockets().messages))
        for (const [event, count] of Object.entries(counts)) messages.set({ dir, event }, count);
    },
  });
  const waiting: Histogram = new Histogram({
    name: 'xch_socket_buffer_bytes',
    help: 'What waits for each reader at the moment of the scrape',
    buckets: [0, 1024, 16_384, 65_536, 262_144, 1_048_576],
    registers,
    collect() {
      waiting.reset();
      for (const bytes of sockets().buffered) waiting.observe(bytes);
    },
  });
}

/** What only the database knows. While it does not answer there is no sample. */
function watchDatabase(registry: Registry, db: Db, clock: () => number): void {
  const asked = (name: string, help: string, label: string, read: () => Promise<Record<string, number>>): void => {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        made.reset();
        const samples: Record<string, number> = db.healthy() ? await read().catch(() => ({})) : {};
        for (const [value, count] of Object.entries(samples)) made.set({ [label]: value }, count);
      },
    });
  };
  asked('xch_exclusions_active', 'Accounts that are excluded or take a break', 'state', async () => {
    const rows = await db.query<{ state: string; accounts: number }>(
      `SELECT restriction AS state, count(*)::int AS accounts FROM protection
        WHERE restriction IS NOT NULL AND (until IS NULL OR until > $1) GROUP BY restriction`,
      [clock()],
    );
    const none = { 'self-excluded': 0, 'cooling off': 0 };
    return { ...none, ...Object.fromEntries(rows.map(({ state, accounts }) => [state, accounts])) };
  });
  asked(
    'wal_archive_lag_seconds',
    'Since when the archive takes no more of the log of the database; 0: it takes all',
    'archive',
    async () => {
      const samples: Record<string, number> = {};
      if (db.kind !== 'postgres') return samples;
      const [row] = await db.query<{ lag: number | null }>(
        `SELECT CASE WHEN current_setting('archive_mode') = 'off' THEN NULL
                   WHEN last_failed_time > COALESCE(last_archived_time, '-infinity')
                     THEN EXTRACT(EPOCH FROM now() - COALESCE(last_archived_time, stats_reset))::float8
                   ELSE 0 END AS lag FROM pg_stat_archiver`,
      );
      if (row && row.lag !== null) samples.wal = row.lag;
      return samples;
    },
  );
  asked('xch_leader_silent_seconds', 'Since when the process that leads has not said so', 'place', async () => {
    const samples: Record<string, number> = {};
    if (db.kind !== 'postgres') return samples;
    const [row] = await db.query<{ silent: number | null }>(
      'SELECT EXTRACT(EPOCH FROM clock_timestamp() - renewed_at)::float8 AS silent FROM leader',
    );
    if (row && row.silent !== null) samples.core = row.silent;
    return samples;
  });
}

/** How far this process is behind what is decided, by the clock of its machine. */
function watchFollowing(registry: Registry, core: Core, clock: () => number): void {
  const lag = new Histogram({
    name: 'xch_follow_lag_seconds',
    help: 'From the decision of a batch until this process has it committed',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  core.onCommitted(({ items }) => {
    const last = items.at(-1);
    if (last) lag.observe(Math.max(0, clock() - last.at) / 1000);
  });
}

/** Checks on what was committed, as it is committed. */
function watchMoney(registry: Registry, core: Core): void {
  const registers = [registry];
  const short = new Set<string>();
  let imbalanceMinor = 0;
  const suspensions = new Counter({
    name: 'xch_market_suspensions_total',
    help: 'Suspensions by the reasons of the program; what people and feeds write is other',
    labelNames: ['reason'],
    registers,
  });
  const imbalance: Gauge = new Gauge({
    name: 'xch_ledger_imbalance_minor',
    help: 'Postings since the start that did not sum to zero, added up without their signs: must be 0',
    registers,
    collect: () => imbalance.set(imbalanceMinor),
  });
  const negative: Gauge = new Gauge({
    name: 'xch_negative_available_accounts',
    help: 'Accounts that owe more than they have, of those that moved since the start',
    registers,
    collect: () => negative.set(short.size),
  });

  function look(world: string, event: Event): void {
    if (event.type === 'ledger')
      imbalanceMinor += Math.abs(event.entries.reduce((sum, entry) => sum + entry.amountMinor, 0));
    else if (event.type === 'market' && event.market.status === 'SUSPENDED')
      suspensions.inc({ reason: REASONS.has(event.market.reason) ? event.market.reason : 'other' });
    else if (event.type === 'wallet' && event.accountId >= FIRST_PLAYER) {
      const name = `${world}${event.accountId}`;
      if (event.balanceMinor - event.exposureMinor < 0) short.add(name);
      else short.delete(name);
    }
  }
  core.onCommitted(({ items }: Committed) => {
    for (const { world, events } of items) for (const event of events) look(world, event);
  });
}
