/**
 * What bets on house quotes may bring, as running sums: a bet costs the same however many came before it. Three forms
 * beside the runner sums of exposure.ts: steps (the result changes where a score crosses a line), a meter (straight between
 * 0 and its cap) and the selections of a card round (groups that are netted, the others one by one).
 *
 * Each keeps what is sure (bets taken) and what is reserved (delayed bets too, where they lose) apart: what is held comes
 * from the reserved, what is shown from the sure. The slow way to the same figures is in runs.ts; `audit` compares.
 */
import { divCeil, divFloor } from '@fairgame/contract';
import type { RunRow } from './runs.ts';
import { KHADO_TAIL, PADDING } from './runs.ts';
import type { MarketDef } from './types.ts';

/** A quote bet as a sheet counts it; amounts in minor units. */
export interface Entry {
  back: boolean;
  win: number;
  loss: number;
  /** Delayed: it may yet lapse. */
  pending: boolean;
  line: number;
  /** khado. */
  width: number;
  price: number;
  stake: number;
  runner: number;
}

export interface Sheet {
  /** Counts a bet (`sign` 1) or takes it out (-1). */
  count(entry: Entry, sign: 1 | -1): void;
  /** Worst case in minor units, rounded up, never negative. */
  worst(): number;
}

/** A score at which results change, by how much there, and how many taken bets begin and end at it. */
interface Step {
  score: number;
  sure: number;
  reserved: number;
  begin: number;
  end: number;
}

/** session, overByover, ballByBall, khado: between lines every score brings the same. */
export class Steps implements Sheet {
  readonly #steps: Step[] = [];
  /** Below every line. */
  #sure = 0;
  #reserved = 0;

  count({ back, win, loss, pending, line, width }: Entry, sign: 1 | -1): void {
    const off = sign * (back ? -loss : win);
    const on = sign * (back ? win : -loss);
    const isGain = (value: number) => value * sign > 0;
    // What a delayed bet would win does not count.
    const offReserved = pending && isGain(off) ? 0 : off;
    const onReserved = pending && isGain(on) ? 0 : on;
    this.#reserved += offReserved;
    if (!pending) this.#sure += off;
    const from = this.#at(line);
    from.reserved += onReserved - offReserved;
    if (!pending) {
      from.sure += on - off;
      from.begin += sign;
    }
    this.#drop(from);
    if (width === 0) return;
    const to = this.#at(line + width);
    to.reserved -= onReserved - offReserved;
    if (!pending) {
      to.sure -= on - off;
      to.end += sign;
    }
    this.#drop(to);
  }

  worst(): number {
    let value = this.#reserved;
    // There is no score below 0.
    let least = this.#steps[0]?.score === 0 ? 0 : value;
    for (const step of this.#steps) {
      value += step.reserved;
      if (value < least) least = value;
    }
    return least < 0 ? -least : 0;
  }

  /**
   * The ladder of the taken bets, a row a run: from 5 under the lowest line to 5 over the highest, khado from 1 to 9 above
   * the last run covered (exchange reference 12.4, 12.5). Empty without bets.
   */
  ladder(khado: boolean): RunRow[] {
    const lines = this.#steps.filter((step) => step.begin > 0);
    if (lines.length === 0) return [];
    const lowest = lines[0]!.score;
    const last = khado ? this.#steps.findLast((step) => step.end > 0)! : lines.at(-1)!;
    const from = khado ? Math.min(1, lowest) : Math.max(0, lowest - PADDING);
    const to = last.score + (khado ? KHADO_TAIL : PADDING);
    const rows: RunRow[] = [];
    let value = this.#sure;
    let next = 0;
    for (let run = from; run <= to; run++) {
      while (next < this.#steps.length && this.#steps[next]!.score <= run) value += this.#steps[next++]!.sure;
      rows.push({ run, profitMinor: value });
    }
    return rows;
  }

  /** The step at a score, made where there is none. */
  #at(score: number): Step {
    const steps = this.#steps;
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (steps[middle]!.score < score) low = middle + 1;
      else high = middle;
    }
    if (steps[low]?.score !== score) steps.splice(low, 0, { score, sure: 0, reserved: 0, begin: 0, end: 0 });
    return steps[low]!;
  }

  /** Forgets a step at which nothing happens any more. */
  #drop(step: Step): void {
    if (step.reserved !== 0 || step.sure !== 0 || step.begin > 0 || step.end > 0) return;
    this.#steps.splice(this.#steps.indexOf(step), 1);
  }
}

/** meter: so much a run, from 0 to the cap. Taken bets are a straight line; delayed ones only bend it down. */
export class Meter implements Sheet {
  readonly #cap: number;
  /** In 1/10 000: at score 0 and a run more, of the taken bets; at score 0 and at the cap, with the delayed. */
  #start = 0;
  #run = 0;
  #lowEnd = 0;
  #highEnd = 0;

  constructor(cap: number) {
    this.#cap = cap;
  }

  count({ back, pending, line, price, stake }: Entry, sign: 1 | -1): void {
    const run = (back ? 1 : -1) * stake * price;
    const low = -run * line;
    const high = run * (this.#cap - line);
    this.#lowEnd += sign * (pending ? Math.min(0, low) : low);
    this.#highEnd += sign * (pending ? Math.min(0, high) : high);
    if (pending) return;
    this.#start += sign * low;
    this.#run += sign * run;
  }

  worst(): number {
    const least = Math.min(this.#lowEnd, this.#highEnd);
    return least < 0 ? divCeil(-least, 100) : 0;
  }

  /** One row a run up to the cap, as each would be booked. */
  ladder(): RunRow[] {
    const rows: RunRow[] = [];
    for (let run = 0; run <= this.#cap; run++) {
      rows.push({ run, profitMinor: divFloor(this.#start + this.#run * run, 100) });
    }
    return rows;
  }
}

/** What the bets on one selection of a card round bring if it wins and if it loses. */
interface Selection {
  win: number;
  lose: number;
  /** The same with delayed bets, where they lose. */
  winReserved: number;
  loseReserved: number;
  loss: number;
}

/** card: the selections of a group exclude each other and are netted; every other one stands for itself (cards.ts). */
export class Cards implements Sheet {
  readonly #def: MarketDef;
  readonly #selections = new Map<number, Selection>();
  /** Runner indexes by group. */
  readonly #groups = new Map<number, number[]>();

  constructor(def: MarketDef) {
    this.#def = def;
    def.runners.forEach(({ group }, index) => {
      if (group) this.#groups.set(group, [...(this.#groups.get(group) ?? []), index]);
    });
  }

  count({ back, win, loss, pending, runner }: Entry, sign: 1 | -1): void {
    const own = this.#own(runner);
    const wins = sign * (back ? win : -loss);
    const loses = sign * (back ? -loss : win);
    own.loss += sign * loss;
    own.winReserved += pending && back ? 0 : wins;
    own.loseReserved += pending && !back ? 0 : loses;
    if (pending) return;
    own.win += wins;
    own.lose += loses;
  }

  worst(): number {
    let held = 0;
    // A round can always end with the stakes back, so 0 is among the outcomes.
    for (const [index, own] of this.#selections) if (!this.#def.runners[index]?.group) held += own.loss;
    for (const members of this.#groups.values()) {
      let losing = 0;
      // A selection that is a group by itself may lose, of several one wins.
      let gap = members.length === 1 ? 0 : Number.POSITIVE_INFINITY;
      for (const index of members) {
        const own = this.#selections.get(index);
        losing += own?.loseReserved ?? 0;
        gap = Math.min(gap, own === undefined ? 0 : own.winReserved - own.loseReserved);
      }
      held -= Math.min(0, losing + gap);
    }
    return held || 0;
  }

  /** Of the taken bets: if the selection wins, if it loses, and what it brings with the others of its group lost. */
  standing(index: number): { win: number; lose: number; net: number } {
    const { win, lose } = this.#selections.get(index) ?? { win: 0, lose: 0 };
    const group = this.#def.runners[index]?.group;
    let net = win;
    for (const other of group ? this.#groups.get(group)! : []) {
      if (other !== index) net += this.#selections.get(other)?.lose ?? 0;
    }
    return { win, lose, net };
  }

  #own(runner: number): Selection {
    let own = this.#selections.get(runner);
    if (own === undefined) {
      own = { win: 0, lose: 0, winReserved: 0, loseReserved: 0, loss: 0 };
      this.#selections.set(runner, own);
    }
    return own;
  }
}

/** The sheet of a kind; null for the kinds whose runner sums suffice. */
export function newSheet(def: MarketDef): Sheet | null {
  switch (def.kind) {
    case 'session':
    case 'overByover':
    case 'ballByBall':
    case 'khado':
      return new Steps();
    case 'meter':
      return new Meter(def.cap!);
    case 'card':
      return new Cards(def);
    default:
      return null;
  }
}
