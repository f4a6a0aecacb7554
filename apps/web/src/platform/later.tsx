import { type ComponentType, type ReactNode, Suspense, use } from 'react';
import { fetchCode } from './fetch-code.ts';

/** So long a failure stands. */
const STANDS_MS = 500;

class LatePart<P extends object> {
  part: ComponentType<P> | undefined;
  #early: Promise<void> | undefined;
  #wanted: Promise<ComponentType<P>> | undefined;
  readonly #load: () => Promise<ComponentType<P>>;

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = async () => {
      this.part = await load();
      return this.part;
    };
  }

  /** Before it is missed: what fails is tried again when it is drawn. */
  fetch(): Promise<void> {
    this.#early ??= (this.#wanted ?? this.#load()).then(
      () => undefined,
      () => {
        this.#early = undefined;
      },
    );
    return this.#early;
  }

  /** It is to be drawn now. After a failure a later try asks anew. */
  need(): Promise<ComponentType<P>> {
    this.#wanted ??= Promise.resolve(this.#early)
      .then(() => this.part ?? fetchCode(this.#load, 'A part of the screen'))
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

const parts = new Set<{ fetch(): Promise<void> }>();

/**
 * A part whose code comes when it is first drawn, or before: `fetchLater` asks for all of them once the first screen stands.
 * Nothing is drawn until it is there; what cannot be fetched throws where it stands, and its boundary's other try asks again.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  const late = new LatePart(load);
  parts.add(late);
  return (props: P) => (
    <Suspense fallback={null}>
      <Arriving late={late} own={props} />
    </Suspense>
  );
}

function Arriving<P extends object>({ late, own }: { late: LatePart<P>; own: P }) {
  const Part = late.part ?? use(late.need());
  return <Part {...own} />;
}

/** Fetches what is drawn later, so that a press finds it there, without a network too. */
export async function fetchLater(): Promise<void> {
  // What comes may have later parts of its own.
  for (let known = 0; known < parts.size; ) {
    known = parts.size;
    await Promise.all([...parts].map((part) => part.fetch()));
  }
}
