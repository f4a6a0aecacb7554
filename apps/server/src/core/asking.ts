/**
 * The way of requests to the process that leads. What comes in together goes as one message, in the order of the calls. What
 * the leader certainly did not get waits a little for one that takes it, so that a change of leaders refuses nobody. What it
 * may have got is sent again only under its key, to the leader that came after, or to the same one when the way to it or its
 * own broke and is back; all else has an unknown outcome.
 */
import { performance } from 'node:perf_hooks';
import { CodedError, tooLate } from '@fairgame/contract';
import { type Bus, RequestFailed } from '../bus/bus.ts';
import { unpackAnswer } from './answers.ts';
import { unavailable, unknownOutcome } from './sending.ts';
import {
  type Ask,
  askedAt,
  fitting,
  type Given,
  packAsk,
  packTexts,
  type Reply,
  unpackError,
  unpackTexts,
} from './wire.ts';
import { LIMITS } from './writer.ts';

/** The leader's own longest: a commit that is tried again for ten seconds. */
const ANSWER_MS = 12_000;
const AGAIN_MS = 20;

interface Waiting {
  /** Place in the order of the calls. */
  n: number;
  ask: Ask;
  since: number;
  /** When what nobody has taken by then is given up. */
  lateAt: number;
  /** It was sent before, and may have been taken or may still be. */
  wasSent: boolean;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Frame {
  owner: string;
  asks: Waiting[];
}

interface LeaderSeen {
  /** Names the process that leads. */
  owner(): string;
  /** The way to it is broken since a while: what is asked now would only wait. */
  isOff(): boolean;
}

export class Asking {
  private readonly bus: Bus;
  private readonly leader: LeaderSeen;
  private queue: Waiting[] = [];
  private readonly flying = new Set<Frame>();
  private asked = 0;
  private flushIsDue = false;
  /** Nobody took the last message: until one is taken again, one at a time goes to find out. */
  private held = false;
  private probe: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(bus: Bus, leader: LeaderSeen) {
    this.bus = bus;
    this.leader = leader;
  }

  /** Resolves with the reply's value, after the commit. Throws what the leader refused it with; BUSY, UNAVAILABLE: nothing was taken. */
  ask<T>(ask: Ask): Promise<T> {
    if (this.stopped || !this.bus.connected() || this.leader.isOff()) return Promise.reject(unavailable());
    if (this.queue.length >= LIMITS.queue.real) return Promise.reject(new CodedError('BUSY', { retryAfterS: 1 }));
    return new Promise<T>((resolve, reject) => {
      const since = performance.now();
      this.asked++;
      this.queue.push({
        n: this.asked,
        ask,
        since,
        lateAt: since + LIMITS.ageMs,
        wasSent: false,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.flushSoon();
    });
  }

  /** Another process leads. */
  leaderChanged(): void {
    this.askAgain((frame) => frame.owner !== this.leader.owner());
  }

  /** This process, or the one that leads, is on the bus again: what was under way may have lost its answer. */
  isBack(): void {
    this.askAgain(() => true);
  }

  private askAgain(isLost: (frame: Frame) => boolean): void {
    this.held = false;
    const now = performance.now();
    for (const frame of this.flying) {
      if (!isLost(frame)) continue;
      this.flying.delete(frame);
      const again: Waiting[] = [];
      for (const one of frame.asks) {
        // Nobody waits without end for a way that breaks again and again.
        if (isRepeatable(one.ask) && now - one.since < ANSWER_MS) {
          one.wasSent = true;
          // The other end may be back a little later.
          one.lateAt = now + LIMITS.ageMs;
          if ('request' in one.ask) delete one.ask.request.keyIsNew;
          again.push(one);
        } else one.reject(unknownOutcome());
      }
      this.putBack(again);
    }
    this.flushSoon();
  }

  depth(): number {
    return this.queue.length + [...this.flying].reduce((sum, { asks }) => sum + asks.length, 0);
  }

  oldestMs(): number {
    const oldest = this.queue[0] ?? [...this.flying][0]?.asks[0];
    return oldest ? performance.now() - oldest.since : 0;
  }

  stop(): void {
    this.stopped = true;
    if (this.probe) clearTimeout(this.probe);
    for (const one of this.queue.splice(0)) one.reject(one.wasSent ? unknownOutcome() : unavailable());
  }

  private flushSoon(): void {
    if (this.queue.length === 0) return;
    if (this.held) this.probeSoon();
    if (this.held || this.flushIsDue) return;
    this.flushIsDue = true;
    setImmediate(() => {
      this.flushIsDue = false;
      while (this.queue.length > 0 && !this.held) this.sendNext();
    });
  }

  private probeSoon(): void {
    this.probe ??= setTimeout(() => {
      this.probe = null;
      this.giveUpLate();
      if (this.queue.length > 0) this.sendNext();
    }, AGAIN_MS);
  }

  private sendNext(): void {
    const texts = this.queue.slice(0, LIMITS.batch).map(({ ask }) => packAsk(ask));
    const frame: Frame = { owner: this.leader.owner(), asks: this.queue.splice(0, fitting(texts)) };
    this.flying.add(frame);
    this.bus.request(askedAt(frame.owner), packTexts(texts.slice(0, frame.asks.length)), ANSWER_MS).then(
      (answer) => {
        this.held = false;
        if (this.flying.delete(frame)) settle(frame, unpackTexts<Reply>(answer));
        this.flushSoon();
      },
      (error: unknown) => {
        if (this.flying.delete(frame)) this.failed(frame, error instanceof RequestFailed ? error.fate : 'unknown');
      },
    );
  }

  private failed(frame: Frame, fate: RequestFailed['fate']): void {
    // What was sent before has time until the bus is back once more.
    const waits = ({ wasSent }: Waiting): boolean =>
      !this.stopped && (fate === 'unheard' || (fate === 'unsent' && wasSent));
    for (const one of frame.asks)
      if (!waits(one)) one.reject(fate === 'unknown' || one.wasSent ? unknownOutcome() : unavailable());
    const again = frame.asks.filter(waits);
    if (again.length === 0) return;
    this.held = true;
    this.putBack(again);
  }

  private putBack(asks: readonly Waiting[]): void {
    this.queue = [...asks, ...this.queue].sort((a, b) => a.n - b.n);
    this.flushSoon();
  }

  private giveUpLate(): void {
    const now = performance.now();
    const isLate = (one: Waiting): boolean => now > one.lateAt;
    if (!this.queue.some(isLate)) return;
    for (const one of this.queue.filter(isLate)) one.reject(one.wasSent ? unknownOutcome() : tooLate());
    this.queue = this.queue.filter((one) => !isLate(one));
  }
}

function settle({ asks }: Frame, replies: readonly Reply[]): void {
  asks.forEach((one, i) => {
    const reply = replies[i];
    if (!reply) one.reject(unknownOutcome());
    else if ('refused' in reply) one.reject(refusalOf(one, unpackError(reply.refused)));
    else if ('taken' in reply) one.resolve({ ...unpackAnswer(reply.taken), replayed: reply.replayed ?? false });
    else if (one.ask.do === 'ids') one.resolve({ first: reply.value as number, wire: reply.wire ?? 1 } satisfies Given);
    else one.resolve(reply.value);
  });
}

/** A refusal that leaves the key free says nothing of what was sent before it: that may have been taken since, or still be. */
function refusalOf({ wasSent, ask }: Waiting, error: CodedError): CodedError {
  return wasSent && leavesKeyFree(ask, error) ? unknownOutcome() : error;
}

function leavesKeyFree(ask: Ask, { code }: CodedError): boolean {
  const { within, begins } = 'request' in ask ? ask.request : {};
  if (code === 'HOUSE_LIMIT') return within !== undefined;
  if (code === 'TOO_FAST') return begins !== undefined;
  return code === 'BUSY' || code === 'UNAVAILABLE';
}

/** Asked twice it is done once. */
function isRepeatable(ask: Ask): boolean {
  return ask.do === 'submit' || ask.do === 'refuse' ? ask.request.key !== undefined : true;
}
