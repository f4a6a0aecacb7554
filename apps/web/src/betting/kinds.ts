import { cardOddsText, type MarketImage, type RunnerImage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { formatOdds, formatWhole } from '../platform/format.ts';

/** What the market kinds differ in for the screens, as data. */
interface KindLook {
  /** The price moves on the ladder of odds; else it is the house's and taken as it stands. */
  ladder: boolean;
  /** A line (runs) stands above the rate. */
  line: boolean;
  /** Rates per 100; else decimal odds. */
  rate: boolean;
  /** The runner's words are the market's: yes and no. */
  yesNo: boolean;
  /** Taken on one side only. */
  backOnly: boolean;
  /** Shown in the list of fancies. */
  fancy: 'overs' | 'batters' | 'wickets' | 'other' | null;
}

const look = (change: Partial<KindLook>): KindLook => ({
  ladder: false,
  line: false,
  rate: false,
  yesNo: false,
  backOnly: false,
  fancy: null,
  ...change,
});

export const KINDS: Readonly<Record<string, KindLook>> = {
  book: look({ ladder: true }),
  bookmaker: look({ rate: true }),
  tied: look({}),
  completed: look({}),
  session: look({ line: true, rate: true, yesNo: true, fancy: 'overs' }),
  overByover: look({ line: true, rate: true, yesNo: true, fancy: 'overs' }),
  ballByBall: look({ line: true, rate: true, yesNo: true, fancy: 'overs' }),
  fancy1: look({ yesNo: true, fancy: 'wickets' }),
  oddEven: look({ backOnly: true, fancy: 'other' }),
  khado: look({ line: true, rate: true, backOnly: true, fancy: 'other' }),
  meter: look({ line: true, rate: true, yesNo: true, fancy: 'other' }),
  cricketCasino: look({ backOnly: true, fancy: 'other' }),
  card: look({}),
};

export const kindOf = (kind: string): KindLook => KINDS[kind] ?? KINDS.book!;

/** Side as a word: Back and Lay, or Yes and No where the market asks a question. */
export function sideWord(kind: string, side: 'BACK' | 'LAY'): string {
  if (kindOf(kind).yesNo)
    return side === 'BACK' ? t({ message: 'Yes', context: 'bet' }) : t({ message: 'No', context: 'bet' });
  return side === 'BACK' ? t({ message: 'Back', context: 'bet' }) : t({ message: 'Lay', context: 'bet' });
}
export function sideLetter(kind: string, side: 'BACK' | 'LAY'): 'B' | 'L' | 'Y' | 'N' {
  if (kindOf(kind).yesNo) return side === 'BACK' ? 'Y' : 'N';
  return side === 'BACK' ? 'B' : 'L';
}

/** The price as players read it. */
export function priceText(kind: string, price: number): string {
  if (kindOf(kind).rate) return String(price);
  return kind === 'card' ? cardOddsText(price) : formatOdds(price);
}

/** What stands in a cell: the line above the rate, or the price above the money. */
export function cellText(
  kind: string,
  runner: RunnerImage | undefined,
  side: 'BACK' | 'LAY',
  level: readonly [number, number] | null,
): { price: string; size: string } | null {
  if (!level || level[0] <= 0) return null;
  if (!kindOf(kind).line) return { price: priceText(kind, level[0]), size: formatWhole(level[1]) };
  const line = side === 'BACK' ? runner?.yesLine : runner?.noLine;
  if (line === undefined || line === null) return null;
  const width = kind === 'khado' && runner?.width ? `${line}\u2013${line + runner.width - 1}` : String(line);
  return { price: width, size: String(level[0]) };
}

export const lineOf = (kind: string, runner: RunnerImage | undefined, side: 'BACK' | 'LAY'): number | undefined =>
  kindOf(kind).line ? ((side === 'BACK' ? runner?.yesLine : runner?.noLine) ?? undefined) : undefined;

export type Closed = 'suspended' | 'ball' | 'settling' | 'closed' | 'removed' | null;

/** What covers the prices of a runner, if anything: the market's state first, then the runner's own. */
export function veilOf(market: Pick<MarketImage, 'status' | 'reason'>, runner?: Pick<RunnerImage, 'status'>): Closed {
  if (runner?.status === 'REMOVED') return 'removed';
  if (market.status === 'CLOSED') return 'closed';
  // With a reason it comes back: bets lapse.
  if (market.status === 'SETTLING' && !market.reason) return 'settling';
  if (runner?.status === 'BALL_RUNNING' || (market.status === 'SUSPENDED' && market.reason === 'Ball running'))
    return 'ball';
  if (market.status !== 'OPEN' || runner?.status === 'SUSPENDED') return 'suspended';
  return null;
}

/** A market that is over was in play: it says so until it leaves. */
export const isInPlay = (market: Pick<MarketImage, 'inPlay' | 'status' | 'reason'>): boolean =>
  market.inPlay && !['closed', 'settling'].includes(veilOf(market) ?? '');
