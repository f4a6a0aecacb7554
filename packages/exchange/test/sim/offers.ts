/** What a quoted row offers in a box, told anew from exchange reference 12.2 and 12.3. */
import type { QuoteRow, Side } from '../../src/types.ts';
import type { Market } from './world.ts';

const BACK_ONLY = ['oddEven', 'cricketCasino', 'khado'];
export const DECIMAL = ['fancy1', 'oddEven', 'cricketCasino', 'tied', 'completed', 'card'];
const WITH_LINE = ['session', 'overByover', 'ballByBall', 'khado', 'meter'];

export function offered(
  market: Market,
  row: QuoteRow,
  side: Side,
  box: number,
): { price: number; line?: number; most: number } | null {
  const quote = side === 'BACK' ? row.back : row.lay;
  const { kind, rateThan100 } = market.def;
  if (!quote || quote.sizeMinor === 0) return null;
  const line = quote.line === undefined ? {} : { line: quote.line };
  if (kind === 'bookmaker') {
    const rate = side === 'BACK' ? quote.price - box : quote.price + box;
    if (quote.price === 0 || rate <= 0) return null;
    if (box > 0 && market.runners.length === 2 && quote.price > 100) return null;
    if (rateThan100 !== true && rate > (side === 'BACK' ? 100 : 99)) return null;
    return { price: rate, ...line, most: Math.min(quote.sizeMinor, Math.floor(market.maxStake / [3, 2, 1][box]!)) };
  }
  if (box > 0) return null;
  if (side === 'LAY' && BACK_ONLY.includes(kind)) return null;
  if (quote.price <= (DECIMAL.includes(kind) ? 100 : 0)) return null;
  if (WITH_LINE.includes(kind) && quote.line === undefined) return null;
  return { price: quote.price, ...line, most: Math.min(quote.sizeMinor, market.maxStake) };
}
