import { t } from '@lingui/core/macro';
import type { ComponentType, ErrorInfo, ReactNode } from 'react';
import { english, say, type Words } from '../platform/language.ts';
import { Catching } from './catching.ts';
import { ErrorNote } from './note.tsx';

interface Props {
  /** What stands here, as a sentence begins: "The bet slip". */
  what: Words | string;
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
    console.error(`${english(this.props.what)} failed`, error, info.componentStack);
  }

  protected override instead() {
    return (
      <ErrorNote title={t`${{ what: say(this.props.what) }} cannot be shown.`} onRetry={this.again}>
        {t`The rest of the page goes on, and so do your bets.`}
      </ErrorNote>
    );
  }
}

/** The same part within a boundary of its own. */
export function alone<P extends object>(what: Words | string, Part: ComponentType<P>): (props: P) => ReactNode {
  return function Alone(props: P) {
    return (
      <Boundary what={what}>
        <Part {...props} />
      </Boundary>
    );
  };
}
