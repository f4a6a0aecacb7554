/**
 * The worlds under one writer: separate exchange states, each with accounts of one currency, its own books, house and ledger.
 * `real` is real money in the site's first currency; the site's other currencies have a world of their own, named after
 * them; `demo` is play money. Nothing of one can meet anything of another, because it is another state.
 */
import { CodedError, CURRENCIES } from '@fairgame/contract';
import { type Command, type MarketDef, type MarketKind, type QuoteRow, type State, wallet } from '@fairgame/exchange';

export type Currency = (typeof CURRENCIES)[number];
export type World = 'real' | Currency | 'demo';
export type Worlds = Record<World, State>;

/** Every world there may be; a site has some of them. */
export const ALL_WORLDS: readonly World[] = ['real', ...CURRENCIES, 'demo'];

/** One of something for every world. */
export function perWorld<T>(make: (world: World) => T): Record<World, T> {
  return Object.fromEntries(ALL_WORLDS.map((world) => [world, make(world)])) as Record<World, T>;
}

/** The worlds that are open, the home world first. */
export function openWorlds(worlds: Worlds): World[] {
  return ALL_WORLDS.filter((world) => worlds[world] !== undefined);
}

/** Whether who asks is a player with play money. */
export function isOfDemo(worlds: Worlds, actor: string): boolean {
  const [kind, id] = actor.split(':');
  return kind === 'player' && wallet(worlds.demo, Number(id)) !== null;
}

/** The worlds of a site with these currencies, with the currency of each. */
export function worldsOf(currencies: readonly Currency[]): Array<{ world: World; currency: Currency }> {
  const [home, ...others] = currencies as [Currency, ...Currency[]];
  return [
    { world: 'real', currency: home },
    ...others.map((currency) => ({ world: currency, currency })),
    { world: 'demo', currency: home },
  ];
}

/** What is different in a world of another currency. */
export interface Terms {
  /** Stakes and sizes are so many times those of the first currency. */
  factor: number;
  /** Least and greatest stake by kind of market, minor units; `*` for kinds not named. In place of the market's own. */
  limits: Partial<Record<MarketKind | '*', { minStakeMinor: number; maxStakeMinor: number }>>;
}

/** Largest size the core takes (exchange, MAX_STAKE_MINOR). */
const MOST_MINOR = 2_147_483_647;

export const SAME_TERMS: Terms = { factor: 1, limits: {} };

/** A command about markets as it reads in a world with these terms; itself where nothing differs. */
export function inTerms(terms: Terms, command: Command, kindOf: (marketId: number) => MarketKind | undefined): Command {
  const { factor, limits } = terms;
  const times = (minor: number) => Math.min(minor * factor, MOST_MINOR);
  switch (command.type) {
    case 'market.create': {
      const { market } = command;
      const own = limits[market.kind] ?? limits['*'];
      if (factor === 1 && !own) return command;
      const { minStakeMinor, maxStakeMinor } = own ?? market;
      const by = own ? (minor: number) => minor : times;
      const changed: MarketDef = {
        ...market,
        minStakeMinor: by(minStakeMinor),
        maxStakeMinor: by(maxStakeMinor),
        maxExposureMinor: times(market.maxExposureMinor),
      };
      return { ...command, market: changed };
    }
    case 'market.state': {
      if (!command.limits) return command;
      const kind = kindOf(command.marketId);
      const own = (kind && limits[kind]) ?? limits['*'];
      if (own) return { ...command, limits: own };
      if (factor === 1) return command;
      const { minStakeMinor, maxStakeMinor } = command.limits;
      return { ...command, limits: { minStakeMinor: times(minStakeMinor), maxStakeMinor: times(maxStakeMinor) } };
    }
    case 'house.book':
      if (factor === 1) return command;
      return {
        ...command,
        runners: command.runners.map((runner) => ({
          ...runner,
          backable: runner.backable.map(([price, size]): [number, number] => [price, times(size)]),
          layable: runner.layable.map(([price, size]): [number, number] => [price, times(size)]),
        })),
      };
    case 'house.quotes':
      return factor === 1 ? command : { ...command, rows: command.rows.map((row) => scaledRow(row, times)) };
    default:
      return command;
  }
}

function scaledRow(row: QuoteRow, times: (minor: number) => number): QuoteRow {
  const scaled = { ...row };
  if (row.back) scaled.back = { ...row.back, sizeMinor: times(row.back.sizeMinor) };
  if (row.lay) scaled.lay = { ...row.lay, sizeMinor: times(row.lay.sizeMinor) };
  return scaled;
}

/** The world of an account of this currency. Throws WRONG_CURRENCY where the site does not keep it. */
export function worldFor(currencies: readonly Currency[], currency: string, isDemo: boolean): World {
  if (isDemo) return 'demo';
  const at = currencies.indexOf(currency as Currency);
  if (at < 0) throw new CodedError('WRONG_CURRENCY', { field: 'currency' });
  return at === 0 ? 'real' : (currency as Currency);
}
