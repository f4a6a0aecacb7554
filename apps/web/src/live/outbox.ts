/** What is said over a socket, at most so many a second: the rest waits its turn. */
export class Outbox<Message> {
  readonly #perSecond: number;
  readonly #send: (message: Message) => void;
  #waiting: Message[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #left: number;
  #filledAt = 0;

  constructor(perSecond: number, send: (message: Message) => void) {
    this.#perSecond = perSecond;
    this.#send = send;
    this.#left = perSecond;
  }

  push(message: Message): void {
    this.#waiting.push(message);
    this.#sendWaiting();
  }

  /** One of those of this second, for what is sent at once or not at all. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** What waits is not sent any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #sendWaiting(): void {
    if (this.#timer !== undefined) return;
    while (this.#waiting.length > 0 && this.take()) this.#send(this.#waiting.shift()!);
    if (this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sendWaiting();
    }, 1000 / this.#perSecond);
  }
}
