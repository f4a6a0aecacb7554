/** Where a flight stands on its picture: axes that grow with it, and the curve on them. Pixels. */
import type { Variant } from '../rules/crash.ts';

export interface Size {
  readonly wide: number;
  readonly high: number;
}

/** Ground below the curve, pixels. */
export const GROUND = 34;
const LEAST_MS = 6000;
const POINTS = 48;

export interface Scale {
  x(ms: number): number;
  y(hundredths: number): number;
  /** Whether a line at this multiple is wanted at the present height. */
  shows(hundredths: number): boolean;
}

export function scaleOf(kind: 'linear' | 'log', { wide, high }: Size, elapsedMs: number, now: number): Scale {
  const widest = Math.max(LEAST_MS, elapsedMs);
  const top = Math.max(now, 150);
  // The head of the curve stays clear of the last points above it and of the edge to the right.
  const span = Math.max(40, high - GROUND - 64);
  const across = wide * 0.84 - 30;
  const part =
    kind === 'linear'
      ? (at: number) => (at - 100) / (top - 100)
      : (at: number) => Math.log(at / 100) / Math.log(top / 100);
  return {
    x: (ms) => 22 + (ms / widest) * across,
    y: (at) => high - GROUND - part(at) * span,
    shows: (at) => at === 100 || part(at) > 0.12,
  };
}

export function pathOf(variant: Variant, scale: Scale, elapsedMs: number): string {
  let path = '';
  for (let i = 0; i <= POINTS; i++) {
    const ms = (elapsedMs * i) / POINTS;
    const at = Math.exp(ms * Math.log(variant.growth)) * 100;
    path += `${i === 0 ? 'M' : 'L'}${scale.x(ms).toFixed(1)} ${scale.y(Math.min(at, variant.cap)).toFixed(1)}`;
  }
  return path;
}

export function angleAt(variant: Variant, scale: Scale, elapsedMs: number): number {
  const value = (ms: number) => Math.exp(ms * Math.log(variant.growth)) * 100;
  const rise = scale.y(value(elapsedMs)) - scale.y(value(elapsedMs + 200));
  const run = scale.x(elapsedMs + 200) - scale.x(elapsedMs);
  return (-Math.atan2(rise, run) * 180) / Math.PI;
}
