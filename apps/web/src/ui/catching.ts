import { Component, type ErrorInfo, type ReactNode } from 'react';

interface Caught {
  /** Another one is another try. */
  resetKey?: string | number | undefined;
  children: ReactNode;
}

/** What catches the faults of what it holds while that is drawn: something stands in its place until another try. */
export abstract class Catching<Props extends Caught> extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  abstract override componentDidCatch(error: unknown, info: ErrorInfo): void;

  /** What stands in the place of what failed. */
  protected abstract instead(): ReactNode;

  protected readonly again = (): void => this.setState({ failed: false });

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.resetKey !== this.props.resetKey) this.again();
  }

  override render() {
    return this.state.failed ? this.instead() : this.props.children;
  }
}
