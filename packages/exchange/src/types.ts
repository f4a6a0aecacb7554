/**
 * The vocabulary of the betting core: what goes in (commands), what comes out (events), what a market is.
 * Everything here is a plain serialisable value, so that a command log can be stored, sent and replayed.
 *
 * Units: money `...Minor` is 1/100 of the currency; `price` is odds in hundredths, or a whole rate per 100 where the
 * market's kind says so; `...E4` is 1/10 000 of the currency; times are milliseconds since 1970 (UTC).
 */

export * from './types/commands.ts';
export * from './types/conditionals.ts';
export * from './types/events.ts';
export * from './types/markets.ts';
export * from './types/readings.ts';
export * from './types/refusals.ts';
export * from './types/rounds.ts';
export * from './types/terms.ts';
