/** What the three slots share: their symbols and strips as data, and the shape of a round that their board draws. */
import { fields, REEL_CYCLE_MS, stakeFrom } from '../game.ts';

export interface SlotSymbol {
  /** Name of its drawing in the board's kit. */
  readonly key: string;
  readonly name: string;
  readonly role: 'pays' | 'wild' | 'scatter';
}

/** What the board needs to know of a slot before any round. Cells are numbered column by column from the top left. */
export interface SlotShape {
  readonly columns: number;
  readonly rows: number;
  readonly symbols: readonly SlotSymbol[];
  /** Grid that stands before the first round; it pays nothing. */
  readonly still: readonly number[];
  /** Heads and lines of the pay table: counts and hundredths of the stake for one symbol. */
  readonly counts: readonly string[];
  readonly pays: readonly { readonly symbol: number; readonly times: readonly number[] }[];
  /** Cells of each line, where the slot has lines. */
  readonly lines: readonly (readonly number[])[];
}

export interface SlotWin {
  readonly symbol: number;
  readonly cells: readonly number[];
  /** Hundredths of the stake, multiplier of the step included. */
  readonly times: number;
  /** `3 on line 4`, `12 ways`: how it came, in words. */
  readonly words: string;
}

export interface SlotStep {
  /** A paid spin, a free one, or what fell after a win. */
  readonly kind: 'spin' | 'free' | 'fall';
  readonly cells: readonly number[];
  readonly wins: readonly SlotWin[];
  readonly times: number;
  readonly multiplier: number;
  /** Spins given by this step. */
  readonly spins: number;
}

export interface SlotView {
  readonly steps: readonly SlotStep[];
  /** What the round pays, hundredths of the stake, never above `maxTimes`. */
  readonly times: number;
  readonly capped: boolean;
}

export interface SlotWager {
  readonly stakeMinor: number;
}

const limits = { minStakeMinor: 100, maxStakeMinor: 10_000 };

/** The fields of a game that all slots have alike. */
export const SLOT = {
  kind: 'solo' as const,
  category: 'Virtual' as const,
  family: 'slots' as const,
  cycleMs: REEL_CYCLE_MS,
  ...limits,
  wager(input: unknown): SlotWager {
    return { stakeMinor: stakeFrom(fields(input, ['stakeMinor']).stakeMinor, limits) };
  },
  stakeOf: (wager: SlotWager) => wager.stakeMinor,
};

/** Reel strips written as letters, as indexes of the symbols of those letters. */
export function stripsOf(letters: string, strips: readonly string[]): readonly (readonly number[])[] {
  return strips.map((strip) =>
    Array.from(strip, (letter) => {
      const symbol = letters.indexOf(letter);
      if (symbol < 0) throw new Error(`No symbol ${letter}.`);
      return symbol;
    }),
  );
}

/** The three symbols that a reel shows where it stops: the one at the stop and the two after it. */
export function shownAt(strip: readonly number[], stop: number): [number, number, number] {
  const { length } = strip;
  return [strip[stop]!, strip[(stop + 1) % length]!, strip[(stop + 2) % length]!];
}

/** Cells of all reels at their stops, column by column. */
export function cellsAt(strips: readonly (readonly number[])[], stops: readonly number[]): number[] {
  return strips.flatMap((strip, reel) => shownAt(strip, stops[reel]!));
}

/** `Apple 1.25, 7.5, 50; Pear 1, 3.75, 25`. */
export const payLines = (symbols: readonly SlotSymbol[], pays: SlotShape['pays']) =>
  pays.map(({ symbol, times }) => `${symbols[symbol]!.name} ${times.map(timesText).join(', ')}`).join('; ');

/** 1250 as the rules write a multiple of the stake: `12.5`. */
export const timesText = (times: number) => (times / 100).toLocaleString('en', { maximumFractionDigits: 2 });
