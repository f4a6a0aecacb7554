/** Figures of the stake panel: presets, steps and typed amounts; all in minor units and whole multiples of STEP_MINOR. */
import { STEP_MINOR } from '../game.ts';

export interface Limits {
  readonly minMinor: number;
  readonly maxMinor: number;
}

const LADDER = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].map((units) => units * 100);

export function within(minor: number, limits: Limits): number {
  const top = Math.floor(limits.maxMinor / STEP_MINOR) * STEP_MINOR;
  const whole = Math.round(minor / STEP_MINOR) * STEP_MINOR;
  return Math.max(limits.minMinor, Math.min(whole, top));
}

/** Five amounts spread over what is allowed, the lowest and the highest among them. */
export function presetsOf(limits: Limits): readonly number[] {
  const inside = LADDER.filter((minor) => minor > limits.minMinor && minor < limits.maxMinor);
  const low = within(limits.minMinor, limits);
  const high = within(limits.maxMinor, limits);
  if (high <= low) return [low];
  const middle = [1 / 6, 1 / 2, 5 / 6].map((part) => inside[Math.round(part * (inside.length - 1))]);
  return [...new Set([low, ...middle.filter((minor) => minor !== undefined), high])].sort((a, b) => a - b);
}

/** The next stake up or down; the step grows with the amount. */
export function stepped(minor: number, way: 1 | -1, limits: Limits): number {
  const at = way === 1 ? minor : minor - 1;
  const step = at < 1000 ? 100 : at < 5000 ? 500 : at < 20_000 ? 1000 : at < 50_000 ? 5000 : 10_000;
  const to = way === 1 ? Math.floor(minor / step) * step + step : Math.ceil(minor / step) * step - step;
  return within(to, limits);
}

/** "25" or "25.00" or "1,000" -> minor units; null for anything that is no amount. */
export function typed(text: string): number | null {
  const plain = text.replaceAll(',', '').trim();
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}
