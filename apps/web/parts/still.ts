/** The one moment of the gallery, so that times and countdowns are the same in each picture. */
export const NOW_MS = Date.parse('2026-11-22T12:00:00Z');

const RealDate = Date;
class StillDate extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    super(args.length === 0 ? NOW_MS : args[0]);
  }
  static override now(): number {
    return NOW_MS;
  }
}
globalThis.Date = StillDate as DateConstructor;
