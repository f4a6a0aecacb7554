/** Answers that are the same for many: made, hashed and compressed once, and sent to whoever asks within a moment. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
/** Smaller ones are not worth the work. */
const LEAST_COMPRESSED = 2048;
const LEVEL = 4;
const MOST_KEPT = 300;

export interface SharedAnswer {
  text: string;
  /** Names the content, not its encoding. */
  tag: string;
  /** Begun once, at the first who can take it; null where it is not worth it. */
  zipped(): Promise<Buffer> | null;
}

/** Compresses off the main thread; null where it is not worth it. */
export function zip(text: string): Promise<Buffer> | null {
  return text.length < LEAST_COMPRESSED ? null : compress(text, { level: LEVEL });
}

export function acceptsGzip(header: string | string[] | undefined): boolean {
  return (
    typeof header === 'string' &&
    /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?(?:,|$))[\d.]+\s*)?(?:,|$)/i.test(header)
  );
}

/**
 * Keeps answers by name for `forMs`. Two who ask at the same time wait for one work. Of more names than it holds the one
 * that was longest not made anew goes.
 */
export class SharedAnswers {
  private readonly kept = new Map<string, { until: number; answer: Promise<SharedAnswer> }>();
  private readonly forMs: number;
  constructor(forMs: number) {
    this.forMs = forMs;
  }

  get(name: string, make: () => Promise<string>): Promise<SharedAnswer> {
    const now = performance.now();
    const found = this.kept.get(name);
    if (found && found.until > now) return found.answer;
    const answer = make().then(sharedAnswer);
    // What failed is nobody's answer but theirs who waited for it.
    answer.catch(() => this.kept.delete(name));
    this.kept.delete(name);
    if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    if (this.forMs > 0) this.kept.set(name, { until: now + this.forMs, answer });
    return answer;
  }
}

export function sharedAnswer(text: string): SharedAnswer {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  let zipped: Promise<Buffer> | null | undefined;
  return {
    text,
    tag,
    zipped: () => {
      zipped ??= zip(text);
      return zipped;
    },
  };
}
