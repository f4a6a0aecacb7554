/**
 * The slow book: one list of waiting orders, sorted by price and arrival whenever it matters. Shares no code with the
 * package. Rules: exchange reference 3.2.
 */
export interface Waiting {
  id: number;
  account: number;
  side: 'BACK' | 'LAY';
  price: number;
  size: number;
  arrived: number;
}

export interface OracleFill {
  maker: number;
  taker: number;
  price: number;
  size: number;
}

export class OracleBook {
  waiting: Waiting[] = [];
  arrivals = 0;

  /** @returns the fills in order, and what became of the rest. */
  place(
    id: number,
    account: number,
    side: 'BACK' | 'LAY',
    price: number,
    size: number,
    minFill = 0,
  ): { fills: OracleFill[]; rest: 'none' | 'waits' | 'self' | 'killed' } {
    const fills: OracleFill[] = [];
    let left = size;
    let met = false;
    for (const other of this.opposite(side, price)) {
      if (left === 0) break;
      if (other.account === account) {
        met = true;
        break;
      }
      const taken = Math.min(left, other.size);
      fills.push({ maker: other.id, taker: id, price: other.price, size: taken });
      left -= taken;
    }
    if (minFill > 0 && size - left < minFill) return { fills: [], rest: 'killed' };
    for (const fill of fills) {
      const maker = this.waiting.find((order) => order.id === fill.maker)!;
      maker.size -= fill.size;
    }
    this.waiting = this.waiting.filter((order) => order.size > 0);
    if (left === 0) return { fills, rest: 'none' };
    if (met) return { fills, rest: 'self' };
    if (minFill > 0) return { fills, rest: 'killed' };
    this.waiting.push({ id, account, side, price, size: left, arrived: ++this.arrivals });
    return { fills, rest: 'waits' };
  }

  cancel(id: number, by?: number): void {
    const order = this.waiting.find((one) => one.id === id);
    if (!order) return;
    order.size -= by === undefined ? order.size : Math.min(by, order.size);
    this.waiting = this.waiting.filter((one) => one.size > 0);
  }

  /** [price, size] a backer can take (waiting lays, highest first) and a layer can take (waiting backs, lowest first). */
  depth(): { back: Array<[number, number]>; lay: Array<[number, number]> } {
    const sum = (side: 'BACK' | 'LAY', sign: number): Array<[number, number]> => {
      const levels = new Map<number, number>();
      for (const order of this.waiting) {
        if (order.side === side) levels.set(order.price, (levels.get(order.price) ?? 0) + order.size);
      }
      return [...levels].sort((a, b) => sign * (a[0] - b[0]));
    };
    return { back: sum('LAY', -1), lay: sum('BACK', 1) };
  }

  private opposite(side: 'BACK' | 'LAY', price: number): Waiting[] {
    return this.waiting
      .filter((order) => order.side !== side && (side === 'BACK' ? order.price >= price : order.price <= price))
      .sort((a, b) => (side === 'BACK' ? b.price - a.price : a.price - b.price) || a.arrived - b.arrived);
  }
}
