/**
 * What order books look like over time: candles of each runner, the moments that stopped or moved the market, its last trades.
 * Every process folds them from what the core committed. The one that keeps the catalogue writes each market's down, a few
 * kilobytes, now and then and when the market leaves memory: so a new start goes on with them and a past market keeps its own.
 * Who is killed loses what was drawn since they were last written; the bets themselves are the core's.
 */
import { CALLS, CodedError, type MarketImage, priceNow, type ReplyOf } from '@fairgame/contract';
import type { MarketView } from '@fairgame/exchange';
import { type Committed, perWorld, type World } from '../core/core.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import { type Candle, type Candles, createCandles, joined, packed, unpacked } from './candles.ts';
import type { Images } from './images.ts';

type History = ReplyOf<typeof CALLS.catalog.history>;
type Mark = History['marks'][number];
type Trade = ReplyOf<typeof CALLS.catalog.trades>['trades'][number];

interface Chart {
  world: World;
  marketId: number;
  runners: Map<number, { name: string; candles: Candles }>;
  marks: Mark[];
  /** The last ones, oldest first. */
  trades: Trade[];
  status: string;
  inPlay: boolean;
  /** What was kept of it before stands in it. */
  loaded: boolean;
  changed: boolean;
}

/** A row of the table, as its text. */
interface Kept {
  runners: Array<[id: number, name: string, stepMs: number, candles: number[]]>;
  marks: Array<[at: number, is: Mark['is'], text: string]>;
  trades?: Trade[];
}

const MOST_MARKS = 60;
const MOST_TRADES = 50;
/** Of one market, in characters: a big field is kept in longer spans. */
const MOST_KEPT = 16_000;
/** Of one event, on a page. */
const MOST_PAST = 20;
const SAVE_MS = 600_000;
/** Read or written at once: a page takes a few milliseconds to put together. */
const PAGE = 20;

export interface ChartOptions {
  db: Db;
  log: Log;
  clock: () => number;
  images: Images;
  /** Whether this process writes them down. */
  keeps: boolean;
}

export class Charts {
  private readonly from: ChartOptions;
  private readonly worlds = perWorld(() => new Map<number, Chart>());
  /** Out of memory, not yet written. */
  private leaving: Chart[] = [];
  private savedAt: number;
  private turning: Promise<void> | null = null;

  constructor(from: ChartOptions) {
    this.from = from;
    this.savedAt = from.clock();
  }

  /** To be told before the images are: they say what stood before. */
  apply(batch: Committed): void {
    for (const { world, at, events } of batch.items)
      for (const event of events) {
        if (event.type === 'fill') {
          const { fillId, marketId, runnerId, price, sizeMinor, taker } = event;
          const chart = this.chartOf(world, marketId);
          chart?.runners.get(runnerId)?.candles.take(at, price, sizeMinor);
          if (chart) addTrade(chart, [fillId, at, runnerId, price, sizeMinor, taker]);
        } else if (event.type === 'market' && event.market.kind === 'book') this.follow(world, event.market, at);
        else if (event.type === 'archived') this.leave(world, event.marketId);
      }
  }

  /** Takes the present prices of a book market. */
  sample(world: World, image: MarketImage, now: number): void {
    const chart = this.chartOf(world, image.id);
    if (!chart) return;
    for (const runner of image.runners) {
      const price = priceNow(runner);
      if (price > 0 && chart.runners.get(runner.id)?.candles.take(now, price)) chart.changed = true;
    }
  }

  /** Reads what was kept, writes what is to be kept. Never throws; what failed is tried again at the next turn. */
  turn(last = false): Promise<void> {
    const begin = async (): Promise<void> => {
      try {
        await this.load(this.all().filter((chart) => !chart.loaded));
        if (this.from.keeps) await this.save(last);
      } catch (error) {
        this.from.log.warn({ err: error }, 'charts could not be kept');
      } finally {
        this.turning = null;
      }
    };
    this.turning = last && this.turning ? this.turning.then(begin) : (this.turning ?? begin());
    return this.turning;
  }

  routes(http: Http): void {
    const { history, past, trades } = CALLS.catalog;
    http.shared(history, async ({ params, query, session }) => {
      const chart = await this.find(session.world, Number(params.id));
      const now = this.from.clock();
      // A market that has only just opened is drawn at once, not at the next beat.
      if (![...chart.runners.values()].some(hasCandles)) {
        const image = this.from.images.image(session.world, chart.marketId);
        if (image?.status === 'OPEN') this.sample(session.world, image, now);
      }
      const ids = query.runners?.split(',').map(Number) ?? [...chart.runners.keys()];
      return {
        runners: ids.map((id) => {
          const runner = chart.runners.get(id);
          if (!runner) throw new CodedError('RUNNER_UNKNOWN');
          const { name, candles } = runner;
          const hour = query.span !== 'all' && chart.status !== 'CLOSED';
          return { id, name, stepMs: candles.longMs(), candles: hour ? candles.hour(now) : candles.all() };
        }),
        marks: chart.marks,
      };
    });
    http.shared(past, ({ params, session }) =>
      this.from.db.query<{ id: number; name: string }>(
        `SELECT k.market_id AS id, k.name FROM market_meta k
           JOIN market_charts c ON c.market_id = k.market_id AND c.world = $2
           WHERE k.event_id = $1 ORDER BY k.sno, k.market_id LIMIT ${MOST_PAST}`,
        [Number(params.id), session.world],
      ),
    );
    http.shared(trades, async ({ params, session }) => ({
      trades: lastOf((await this.find(session.world, Number(params.id))).trades).reverse(),
    }));
  }

  private all(): Chart[] {
    return Object.values(this.worlds).flatMap((charts) => [...charts.values()]);
  }

  private chartOf(world: World, marketId: number): Chart | undefined {
    const known = this.worlds[world].get(marketId);
    if (known) return known;
    const { images } = this.from;
    const image = images.view(marketId)?.kind === 'book' ? images.image(world, marketId) : undefined;
    return image && this.begin(world, image.id, image);
  }

  private begin(world: World, marketId: number, { status, inPlay, runners }: Beginning): Chart {
    const chart = emptyChart(world, marketId, status, inPlay);
    nameRunners(chart, runners);
    this.worlds[world].set(marketId, chart);
    return chart;
  }

  private follow(world: World, view: MarketView, at: number): void {
    const { marketId, status, inPlay, reason } = view;
    const named = view.runners.map(({ runnerId, name }) => ({ id: runnerId, name }));
    const chart = this.chartOf(world, marketId) ?? this.begin(world, marketId, { status, inPlay, runners: named });
    nameRunners(chart, named);
    const mark = (is: Mark['is'], text: string): void => {
      chart.marks.push({ at, is, text });
      if (chart.marks.length > MOST_MARKS) chart.marks.shift();
    };
    if (inPlay && !chart.inPlay) mark('inPlay', 'In play');
    if (status === 'SUSPENDED' && chart.status === 'OPEN') mark('suspended', reason);
    if (status === 'CLOSED' && chart.status !== 'CLOSED') mark('closed', 'Closed');
    chart.status = status;
    chart.inPlay = inPlay;
    chart.changed = true;
  }

  private leave(world: World, marketId: number): void {
    const chart = this.worlds[world].get(marketId);
    this.worlds[world].delete(marketId);
    if (chart && this.from.keeps) this.leaving.push(chart);
  }

  /** In memory, or as it was kept. */
  private async find(world: World, marketId: number): Promise<Chart> {
    const live = this.chartOf(world, marketId) ?? this.leaving.find((one) => is(one, world, marketId));
    if (live && !live.loaded) await this.load([live]);
    if (live) return live;
    const past = emptyChart(world, marketId, 'CLOSED', false);
    if (!(await this.load([past]))) throw new CodedError('MARKET_UNKNOWN');
    return past;
  }

  /** Answers how many of them there were. */
  private async load(charts: readonly Chart[]): Promise<number> {
    let found = 0;
    for (let from = 0; from < charts.length; from += PAGE) {
      const page = charts.slice(from, from + PAGE);
      const rows = await this.from.db.query<{ world: World; id: number; body: string }>(
        'SELECT world, market_id AS id, body FROM market_charts WHERE market_id = ANY($1::bigint[])',
        [[...new Set(page.map((chart) => chart.marketId))]],
      );
      for (const chart of page) {
        const row = rows.find(({ world, id }) => is(chart, world, id));
        // Two who wait for the same one read it twice and take it once.
        if (row && !chart.loaded) takeKept(chart, JSON.parse(row.body) as Kept);
        if (row) found++;
        chart.loaded = true;
      }
    }
    return found;
  }

  private async save(last: boolean): Promise<void> {
    const { db, clock } = this.from;
    const gone = this.leaving;
    const due = last || clock() - this.savedAt >= SAVE_MS;
    const changed = due ? this.all().filter((chart) => chart.changed) : [];
    await this.load(gone.filter((chart) => !chart.loaded));
    const charts = [...gone, ...changed].filter((chart) => [...chart.runners.values()].some(hasCandles));
    for (let from = 0; from < charts.length; from += PAGE) {
      const page = charts.slice(from, from + PAGE);
      for (const chart of page) chart.changed = false;
      await db.query(
        `INSERT INTO market_charts (world, market_id, body)
           SELECT world, market_id, body FROM json_to_recordset($1) AS r(world text, market_id bigint, body text)
           ON CONFLICT (market_id, world) DO UPDATE SET body = EXCLUDED.body`,
        [
          JSON.stringify(
            page.map((chart) => ({ world: chart.world, market_id: chart.marketId, body: keptText(chart) })),
          ),
        ],
      );
    }
    this.leaving = this.leaving.filter((chart) => !gone.includes(chart));
    if (due) this.savedAt = clock();
  }
}

interface Beginning {
  status: string;
  inPlay: boolean;
  runners: ReadonlyArray<{ id: number; name: string }>;
}

const is = (chart: Chart, world: World, marketId: number): boolean =>
  chart.marketId === marketId && chart.world === world;
const hasCandles = ({ candles }: { candles: Candles }): boolean => candles.all().length > 0;

const emptyChart = (world: World, marketId: number, status: string, inPlay: boolean): Chart => ({
  world,
  marketId,
  runners: new Map(),
  marks: [],
  trades: [],
  status,
  inPlay,
  loaded: false,
  changed: false,
});

const lastOf = (trades: readonly Trade[]): Trade[] => trades.slice(-MOST_TRADES);

/** A few more than are shown are held, so that not every trade moves all others. */
function addTrade(chart: Chart, trade: Trade): void {
  if (chart.trades.push(trade) > MOST_TRADES * 2) chart.trades = lastOf(chart.trades);
  chart.changed = true;
}

function nameRunners(chart: Chart, runners: Beginning['runners']): void {
  for (const { id, name } of runners) {
    const held = chart.runners.get(id);
    if (held) held.name = name;
    else chart.runners.set(id, { name, candles: createCandles() });
  }
}

function takeKept(chart: Chart, kept: Kept): void {
  for (const [id, name, stepMs, numbers] of kept.runners) {
    if (!chart.runners.has(id)) nameRunners(chart, [{ id, name }]);
    chart.runners.get(id)!.candles.before(unpacked(numbers, stepMs), stepMs);
  }
  const first = chart.marks[0]?.at ?? Number.POSITIVE_INFINITY;
  const before = kept.marks.filter(([at]) => at < first).map(([at, is, text]) => ({ at, is, text }));
  chart.marks = [...before, ...chart.marks].slice(-MOST_MARKS);
  const heard = chart.trades[0]?.[0] ?? Number.POSITIVE_INFINITY;
  chart.trades = lastOf([...(kept.trades ?? []).filter(([id]) => id < heard), ...chart.trades]);
}

/** As short as it must be: of a big field the spans are made longer. */
function keptText(chart: Chart): string {
  const marks: Kept['marks'] = chart.marks.map(({ at, is, text }) => [at, is, text]);
  for (let times = 1; ; times *= 2) {
    const runners: Kept['runners'] = [...chart.runners].map(([id, { name, candles }]) => {
      const stepMs = candles.longMs() * times;
      return [id, name, stepMs, packed(joined(candles.all() as Candle[], stepMs), stepMs)];
    });
    const text = JSON.stringify({ runners, marks, trades: lastOf(chart.trades) });
    if (text.length <= MOST_KEPT || times >= 64) return text;
  }
}
