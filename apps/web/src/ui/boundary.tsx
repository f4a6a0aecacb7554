import type { ComponentType, ErrorInfo, ReactNode } from 'react';
import { Catching } from './catching.ts';
import { ErrorNote } from './note.tsx';

interface Props {
  /** What stands here, as a sentence begins: "The bet slip". */
  what: string;
  /** Another one is another try. */
  resetKey?: string | number | undefined;
  children: ReactNode;
}

/**
 * A part that throws while it is drawn falls alone: a line and another try stand in its place, and the rest of the page goes
 * on. Each fault is reported once, however often it is tried again.
 */
export class Boundary extends Catching<Props> {
  readonly #reported = new Set<string>();

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    const name = String(error);
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    console.error(`${this.props.what} failed`, error, info.componentStack);
  }

  protected override instead() {
    return (
      <ErrorNote title={`${this.props.what} cannot be shown.`} onRetry={this.again}>
        The rest of the page goes on, and so do your bets.
      </ErrorNote>
    );
  }
}

/** The same part within a boundary of its own. */
export function alone<P extends object>(what: string, Part: ComponentType<P>): (props: P) => ReactNode {
  return function Alone(props: P) {
    return (
      <Boundary what={what}>
        <Part {...props} />
      </Boundary>
    );
  };
}
