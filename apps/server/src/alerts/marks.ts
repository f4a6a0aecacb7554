/** Alerts about one figure in the order of their marks: a figure that moves costs what it passes, however many wait. */
export interface Mark {
  /** Reached by a figure that is as great, or greater. */
  readonly at: number;
  readonly id: number;
}

export class Marks<T extends Mark> {
  /** Ascending; the first `reached` of them are at the figure or below it. */
  private list: T[] = [];
  private reached = 0;
  /** Came since it was last put in order: many come at once when all are read. */
  private fresh: T[] = [];
  private figure = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.list.length + this.fresh.length;
  }

  /** Any of them. */
  first(): T | undefined {
    return this.list[0] ?? this.fresh[0];
  }

  all(): readonly T[] {
    return [...this.list, ...this.fresh];
  }

  /** True where the figure has reached it already. */
  add(one: T): boolean {
    this.fresh.push(one);
    return one.at <= this.figure;
  }

  remove(one: Mark): void {
    if (this.fresh.at(-1)?.id === one.id) {
      this.fresh.pop();
      return;
    }
    this.order();
    const place = this.placeOf(one);
    if (this.list[place]?.id !== one.id) return;
    this.list.splice(place, 1);
    if (place < this.reached) this.reached -= 1;
  }

  /** Those that the figure has passed on its way up; what does not stay waits no more. One that is left behind waits again. */
  move(figure: number, stays: (one: T) => boolean): T[] {
    this.order();
    const from = this.reached;
    this.figure = figure;
    this.reached = this.placeOf(justAbove(figure));
    if (this.reached <= from) return [];
    const passed = this.list.slice(from, this.reached);
    const staying = passed.filter(stays);
    if (staying.length < passed.length) {
      this.list = [...this.list.slice(0, from), ...staying, ...this.list.slice(this.reached)];
      this.reached = from + staying.length;
    }
    return passed;
  }

  private order(): void {
    if (this.fresh.length === 0) return;
    const fresh = this.fresh.sort((a, b) => a.at - b.at || a.id - b.id);
    this.fresh = [];
    const merged: T[] = [];
    let next = 0;
    for (const one of this.list) {
      while (next < fresh.length && isBefore(fresh[next]!, one)) merged.push(fresh[next++]!);
      merged.push(one);
    }
    while (next < fresh.length) merged.push(fresh[next++]!);
    this.list = merged;
    this.reached = this.placeOf(justAbove(this.figure));
  }

  private placeOf(mark: Mark): number {
    let [low, high] = [0, this.list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.list[middle]!, mark)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isBefore = (a: Mark, b: Mark): boolean => a.at < b.at || (a.at === b.at && a.id < b.id);
const justAbove = (figure: number): Mark => ({ at: figure, id: Number.POSITIVE_INFINITY });
