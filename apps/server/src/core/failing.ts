/** Commits that fail: since when, whether anything is sent meanwhile, and when they go well for good. */
import { performance } from 'node:perf_hooks';
import { createBackOff } from '../back-off.ts';

/** While commits fail, one is tried this soon, and this often at last, although nobody asks for anything. */
const PROBE_MS = 250;
const PROBE_LONGEST_MS = 5000;
/**
 * Commits that failed go well again when they did for so long: on a full disk small ones still find room where the next larger one
 * finds none, and what comes meanwhile is what tells.
 */
const TRIAL_MS = 2000;

interface FailingParts {
  /** The core's clock. */
  now: () => number;
  /** Sends something: whether commits go well is not left to the next bet, as nobody sends one to a site that says it takes none. */
  probe(): void;
  /** Commits go well for good. */
  onWell(): void;
}

export class Failing {
  /** Null while the last commit went well. */
  since: number | null = null;
  /** The database takes nothing: until a commit goes well no command is taken. */
  isShut = false;
  private readonly parts: FailingParts;
  private isProbing = false;
  /** Whether it was shut since `since`, and since when commits go well again then: moment of the steady clock. */
  private wasShut = false;
  private wellSince: number | null = null;
  private probe: NodeJS.Timeout | undefined;
  private readonly probes = createBackOff(PROBE_MS, PROBE_LONGEST_MS);

  constructor(parts: FailingParts) {
    this.parts = parts;
  }

  /** Nothing is sent but a probe in its time. */
  holdsBack(): boolean {
    return this.isShut && !this.isProbing;
  }

  begin(): void {
    this.since ??= this.parts.now();
  }

  /** Nothing of a batch was taken, or nobody knows. */
  lost(shut: boolean): void {
    this.isProbing = false;
    this.wellSince = null;
    this.isShut = shut;
    this.wasShut ||= shut;
  }

  /** Tried again in a while, if commits fail. */
  later(ms: number = this.probes.next()): void {
    clearTimeout(this.probe);
    this.probe = setTimeout(() => {
      if (this.since === null) return;
      this.isProbing = true;
      this.parts.probe();
    }, ms).unref();
  }

  /** A commit went well. */
  well(): void {
    if (this.since === null) return;
    this.isShut = false;
    this.isProbing = false;
    const now = performance.now();
    if (this.wasShut && this.wellSince === null) {
      this.wellSince = now;
      // Should nothing else come that tells.
      this.later(TRIAL_MS + 50);
    }
    if (this.wellSince !== null && now - this.wellSince < TRIAL_MS) return;
    this.since = null;
    this.wasShut = false;
    this.wellSince = null;
    this.probes.reset();
    this.parts.onWell();
  }
}
