import { Component, type ComponentType, type ErrorInfo, type ReactNode } from 'react';
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
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };
  readonly #reported = new Set<string>();

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    const name = String(error);
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    console.error(`${this.props.what} failed`, error, info.componentStack);
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.setState({ failed: false });
  }

  override render() {
    const { what, children } = this.props;
    if (!this.state.failed) return children;
    return (
      <ErrorNote title={`${what} cannot be shown.`} onRetry={() => this.setState({ failed: false })}>
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
