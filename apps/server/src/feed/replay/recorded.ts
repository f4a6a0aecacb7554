/** Recordings as a feed of the site: market stream files put on sale, moved by their own clock, settled by their own results. */
import type { Feed, FeedOutput } from '../feed.ts';
import { type Known, nothingKnown } from '../known.ts';
import { createFold, type Fold, type MarketChange } from './fold.ts';
import { emptyReport, type ReadReport, readMessages } from './read.ts';
import { createTranslator, type Translator, type TranslatorCounts } from './translate.ts';

export interface RecordedOptions {
  /**
   * Recorded milliseconds per real millisecond. `max` does not wait: batches follow each other as fast as the sink takes
   * them and their `now` runs by the recording's clock (for tests).
   */
  speed: number | 'max';
  /** Play from the start again when done, as new events and markets. */
  loop?: boolean;
  /** Numbers of the events and markets of a run; nothing is known unless given. */
  known?: (run: number) => Known | Promise<Known>;
  /** Where it was when the site last stored it: goes on behind that, in the same run. */
  resume?: RecordedPlace | null;
  /** Prices are merged over this much real time; 100 unless said otherwise, 0 gives every line. */
  conflateMs?: number;
  /** Begin this long (recorded) before the first market's start: what came earlier is folded, not shown. */
  leadInMs?: number;
  /** Recorded silences longer than this are cut short (nights between days of play). */
  maxGapMs?: number;
  /** Unreadable files, malformed lines, markets the site cannot offer, the end of a run. */
  log?: (text: string) => void;
  /** It cannot go on. */
  onTrouble?: (text: string) => void;
  /** The real clock. */
  now?: () => number;
  /** Called after each run, before the next one of a loop. */
  onRun?: (run: RecordedRun) => void;
}

export interface RecordedRun {
  report: ReadReport;
  counts: TranslatorCounts;
}

/** A place in a run, behind everything told so far. */
export interface RecordedPlace {
  /** Counts the times the files were begun. */
  run: number;
  /** Recorded time, milliseconds since 1970; 0 before the run has begun. */
  at: number;
}

export interface RecordedFeed extends Feed {
  mark(): RecordedPlace | null;
}

/** Before the names of the recording, where they are stored: a run of its own is other markets. */
export const RECORDED = 'recorded:';
const LOOP_PAUSE_MS = 5000;
const SIGN_OF_LIFE_MS = 2000;

/** Files may be plain, .gz, .bz2, .zip or .tar; several are merged by publish time. */
export function recordedFeed(files: readonly string[], options: RecordedOptions): RecordedFeed {
  const stopping = new AbortController();
  const own: Own = { place: null, again: () => {} };
  let running: Promise<void> = Promise.resolve();
  return {
    start(sink) {
      running = play(files, options, own, sink, stopping.signal);
    },
    again: (marketIds) => own.again(marketIds),
    mark: () => own.place,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

type Sink = (batch: FeedOutput[], now: number) => void;

/** What the feed shows of the run that plays. */
interface Own {
  place: RecordedPlace | null;
  again: Translator['again'];
}

async function play(
  files: readonly string[],
  options: RecordedOptions,
  own: Own,
  sink: Sink,
  stop: AbortSignal,
): Promise<void> {
  const log = options.log ?? (() => {});
  const ids = countFromNow();
  const knownOf = options.known ?? (() => nothingKnown(ids));
  let resume = options.resume ?? null;
  for (let run = resume?.run ?? 1; ; run++) {
    const report = emptyReport();
    try {
      const known = await knownOf(run);
      const counts = await playOnce(
        files,
        { ...options, run, known, resumeAt: resume?.at || null, own },
        report,
        sink,
        stop,
      );
      if (stop.aborted) return;
      tell(log, report, counts);
      options.onRun?.({ report, counts });
    } catch (error) {
      // Nothing a recording holds may stop the site; a fault here ends this feed only.
      (options.onTrouble ?? log)(`recorded feed stopped: ${(error as Error).message}`);
      return;
    }
    resume = null;
    if (!options.loop || report.lines === 0) return;
    if (options.speed !== 'max') await sleep(LOOP_PAUSE_MS, stop);
    if (stop.aborted) return;
  }
}

interface Run extends Omit<RecordedOptions, 'known'> {
  run: number;
  known: Known;
  resumeAt: number | null;
  own: Own;
}

async function playOnce(
  files: readonly string[],
  options: Run,
  report: ReadReport,
  sink: Sink,
  stop: AbortSignal,
): Promise<TranslatorCounts> {
  const realNow = options.now ?? Date.now;
  const clock = createClock(options.speed, realNow(), options.maxGapMs ?? Number.POSITIVE_INFINITY);
  const conflateMs = options.conflateMs ?? 100;
  const fold = createFold();
  const { known, run, own } = options;
  const siteTime = (recordedMs: number): number => clock.siteTime(recordedMs);
  const translator = createTranslator({ known, prefix: `${RECORDED}${run}:`, siteTime, ownTime: true });
  own.again = (marketIds) => translator.again(marketIds);
  const leadIn = options.resumeAt === null ? createLeadIn(options.leadInMs) : heldUntil(options.resumeAt);
  let pending: FeedOutput[] = [];
  let lastFlush = 0;
  let sinceBreath = 0;
  let begun = false;
  const send = (now: number, flush: boolean): void => {
    if (flush) {
      pending.push(...translator.flush(clock.recorded()));
      lastFlush = now;
    }
    if (pending.length > 0) sink(pending, now);
    pending = [];
    own.place = { run, at: clock.recorded() };
  };
  /** Every market as it stands, and that there are no others of an earlier run. */
  const begin = (changes: MarketChange[]): void => {
    begun = true;
    pending.push(...translator.take(changes));
    pending.push({ type: 'named', marketIds: translator.numbers(fold.markets.keys()) });
  };
  for await (const { message, source } of readMessages(files, report)) {
    if (stop.aborted) return translator.counts;
    const changes = leadIn(fold, fold.apply(message, source), message.publishTime);
    if (!changes) continue;
    const jumped = clock.advance(message.publishTime);
    const due = clock.siteTime(message.publishTime);
    if (options.speed === 'max') {
      if (++sinceBreath % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
    } else if (due > realNow()) {
      // Everything before this line is on the site before the wait.
      send(realNow(), true);
      while (due > realNow()) {
        await sleep(Math.min(due - realNow(), SIGN_OF_LIFE_MS), stop);
        if (stop.aborted) return translator.counts;
        // A quiet minute of the recording is not a feed that was lost: an empty batch says so.
        if (due > realNow()) sink([], realNow());
      }
    }
    if (jumped) pending.push(...translator.retime());
    if (begun) pending.push(...translator.take(changes));
    else begin(changes);
    const now = options.speed === 'max' ? due : realNow();
    send(now, now - lastFlush >= conflateMs);
  }
  if (stop.aborted) return translator.counts;
  // The site was stopped behind the last line: what is left has its end to be told.
  if (!begun) begin(asTheyStand(fold, options.resumeAt ?? 0));
  const end = options.speed === 'max' ? clock.siteTime(clock.recorded()) : realNow();
  send(end, true);
  pending.push(...translator.end());
  send(end, false);
  own.place = { run: run + 1, at: 0 };
  return translator.counts;
}

interface Clock {
  /** Takes the next publish time; true when a silence was cut, so that every later time moved. */
  advance(publishTime: number): boolean;
  /** The last publish time taken. */
  recorded(): number;
  siteTime(recordedMs: number): number;
}

function createClock(speed: number | 'max', startedAt: number, maxGapMs: number): Clock {
  let first: number | null = null;
  let last = 0;
  const factor = speed === 'max' ? 1 : speed;
  return {
    advance(publishTime) {
      const jumped = first !== null && publishTime - last > maxGapMs;
      if (first === null) first = publishTime;
      else if (jumped) first += publishTime - last - maxGapMs;
      last = Math.max(last, publishTime);
      return jumped;
    },
    recorded: () => last,
    siteTime: (recordedMs) => Math.round(startedAt + (recordedMs - (first ?? recordedMs)) / factor),
  };
}

/**
 * Holds changes back until the lead-in before the first market's start, then gives every market as it stands.
 * Returns null while holding.
 */
function createLeadIn(
  leadInMs: number | undefined,
): (fold: Fold, changes: MarketChange[], at: number) => MarketChange[] | null {
  let begun = leadInMs === undefined;
  return (fold, changes, at) => {
    if (begun) return changes;
    let start = Number.POSITIVE_INFINITY;
    for (const { definition } of fold.markets.values())
      if (definition?.marketTimeMs) start = Math.min(start, definition.marketTimeMs);
    // Times may be missing or wrong: play, or a result, ends the wait too.
    const moving = changes.some(({ market }) => market.definition?.inPlay || market.definition?.status === 'CLOSED');
    if (at < start - leadInMs! && !moving && start !== Number.POSITIVE_INFINITY) return null;
    begun = true;
    return asTheyStand(fold, at);
  };
}

/** Holds everything back that was told before the restart, then gives every market as it stands. */
function heldUntil(told: number): (fold: Fold, changes: MarketChange[], at: number) => MarketChange[] | null {
  let begun = false;
  return (fold, changes, at) => {
    if (begun) return changes;
    if (at <= told) return null;
    begun = true;
    return asTheyStand(fold, at);
  };
}

function asTheyStand(fold: Fold, at: number): MarketChange[] {
  return [...fold.markets.values()].map((market) => ({
    market,
    publishTime: at,
    image: true,
    definitions: market.definition ? [market.definition] : [],
    before: null,
    runners: new Set(market.runners.keys()),
  }));
}

function sleep(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
    stop.addEventListener('abort', done);
    if (stop.aborted) done();
  });
}

/** Far over any hand-made number and never used before on this machine, as long as its clock runs forward. */
function countFromNow(): { next(): number } {
  let last = Date.now() * 1000;
  return { next: () => ++last };
}

function tell(log: (text: string) => void, report: ReadReport, counts: Translator['counts']): void {
  for (const { file, reason } of report.unreadable) log(`cannot read ${file}: ${reason}`);
  for (const { file, line, reason } of report.malformed.slice(0, 20)) log(`${file}:${line}: ${reason}`);
  if (report.malformedLines > 20) log(`and ${report.malformedLines - 20} more malformed lines`);
  for (const [reason, count] of Object.entries(counts.skipped)) log(`${count} recorded markets not offered: ${reason}`);
  log(
    `recording played: ${report.lines} lines, ${counts.markets} markets, ${counts.unfinished} without a result (void)`,
  );
}
