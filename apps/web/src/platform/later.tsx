import { type ComponentType, type ReactNode, Suspense, use } from 'react';
import { fetchCode } from './fetch-code.ts';

/** So long a failure stands. */
const STANDS_MS = 500;

const parts = new Set<{ fetch(): Promise<void> }>();

/** Code that is fetched once: when it is needed, or before. */
export class Late<T extends NonNullable<unknown>> {
  /** As soon as it is there. */
  now: T | undefined;
  #early: Promise<void> | undefined;
  #wanted: Promise<T> | undefined;
  readonly #load: () => Promise<T>;
  readonly #what: string;

  constructor(load: () => Promise<T>, what: string) {
    this.#what = what;
    this.#load = async () => {
      this.now = await load();
      return this.now;
    };
    parts.add(this);
  }

  /** Before it is missed: what fails is tried again when it is needed. */
  fetch(): Promise<void> {
    this.#early ??= (this.#wanted ?? this.#load()).then(
      () => undefined,
      () => {
        this.#early = undefined;
      },
    );
    return this.#early;
  }

  /** It is needed now. After a failure a later try asks anew. */
  need(): Promise<T> {
    this.#wanted ??= Promise.resolve(this.#early)
      .then(() => this.now ?? fetchCode(this.#load, this.#what))
      .catch((error: unknown) => {
        // Whoever is drawn now must meet the same failure, or it would be asked for without an end.
        setTimeout(() => {
          this.#wanted = undefined;
        }, STANDS_MS);
        throw error;
      });
    return this.#wanted;
  }
}

/**
 * A part whose code comes when it is first drawn, or before: `fetchLater` asks for all of them once the first screen stands.
 * Until it is there `meanwhile` is drawn, or nothing; what cannot be fetched throws where it stands, and its boundary's other
 * try asks again.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: (props: P) => ReactNode = () => null,
): (props: P) => ReactNode {
  const late = new Late(load, 'A part of the screen');
  return (props: P) => (
    <Suspense fallback={meanwhile(props)}>
      <Arriving late={late} own={props} />
    </Suspense>
  );
}

function Arriving<P extends object>({ late, own }: { late: Late<ComponentType<P>>; own: P }) {
  const Part = late.now ?? use(late.need());
  return <Part {...own} />;
}

/**
 * Fetches what is drawn later, so that a press finds it there, without a network too; with `turn` one at each, because to
 * ask for all of them is long work for a slow phone.
 */
export async function fetchLater(turn?: () => Promise<void>): Promise<void> {
  const asked = new Map<{ fetch(): Promise<void> }, Promise<void>>();
  // What comes may have later parts of its own.
  while (asked.size < parts.size) {
    for (const part of parts) {
      if (asked.has(part)) continue;
      if (turn) await turn();
      asked.set(part, part.fetch());
    }
    await Promise.all(asked.values());
  }
}
