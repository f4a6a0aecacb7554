/** Refusals of the page's calls, as words a player understands. */
import { RuleError } from '../game.ts';
import type { PageError } from '../wire.ts';
import type { WalletCode } from './wallet.ts';

export class Refusal extends Error {
  readonly page: PageError;
  constructor(code: PageError['code'], text: string = TEXTS[code], more: { field?: string; readyAt?: number } = {}) {
    super(text);
    this.name = 'Refusal';
    this.page = { code, text, ...more };
  }
}

const TEXTS: Readonly<Record<PageError['code'], string>> = {
  BAD_INPUT: 'This is not possible.',
  TOO_FAST: 'The next round may begin in a moment.',
  NO_FUNDS: 'The balance is lower than this stake.',
  LIMIT_REACHED: 'One of your limits is reached.',
  REALITY_CHECK: 'Please answer the reality check first.',
  BLOCKED: 'Your account takes no stakes at the moment.',
  SESSION_OVER: 'This session is over. Open the game again from the lobby.',
  SESSION_REPLACED: 'The game was opened in another place. This page has ended.',
  ROUND_OVER: 'The round is over.',
  BETS_CLOSED: 'Bets are closed for this round.',
  WALLET_DOWN: 'Your account cannot be reached. A stake that was taken is given back, or its round is in your history.',
  PAUSED: 'The game is closed for a short time.',
};

const STATUS: Readonly<Record<PageError['code'], number>> = {
  BAD_INPUT: 400,
  TOO_FAST: 429,
  NO_FUNDS: 409,
  LIMIT_REACHED: 409,
  REALITY_CHECK: 409,
  BLOCKED: 403,
  SESSION_OVER: 401,
  SESSION_REPLACED: 401,
  ROUND_OVER: 409,
  BETS_CLOSED: 409,
  WALLET_DOWN: 503,
  PAUSED: 503,
};

/** HTTP status and page error of anything thrown in a page's call; null where it is a fault of the program. */
export function refusalOf(error: unknown): { status: number; page: PageError } | null {
  if (error instanceof Refusal) return { status: STATUS[error.page.code], page: error.page };
  if (error instanceof RuleError)
    return { status: 400, page: { code: 'BAD_INPUT', text: error.message, field: error.field } };
  return null;
}

/** What the page is told where the operator refuses a stake or a token. */
export function refusalOfWallet(code: WalletCode, readyAt: number): Refusal {
  switch (code) {
    case 'INSUFFICIENT_FUNDS':
      return new Refusal('NO_FUNDS');
    case 'LIMIT_REACHED':
      return new Refusal('LIMIT_REACHED');
    case 'REALITY_CHECK_DUE':
      return new Refusal('REALITY_CHECK');
    case 'USER_DISABLED':
      return new Refusal('BLOCKED');
    case 'TOO_FAST':
      return new Refusal('TOO_FAST', undefined, { readyAt });
    case 'INVALID_TOKEN':
    case 'TOKEN_EXPIRED':
      return new Refusal('SESSION_OVER');
    case 'INVALID_GAME':
      return new Refusal('PAUSED');
    default:
      return new Refusal('WALLET_DOWN');
  }
}
