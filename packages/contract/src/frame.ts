/**
 * What crosses the edge between the site and a provider's game in its frame (postMessage). Both sides take a message only
 * from the window and origin they expect, and only when it has one of these shapes; anything else is as if nothing came.
 * Amounts never cross here: the site's balance comes from its own ledger, whatever a frame says.
 */

/** Why a game cannot go on, as its page was told by its provider. */
export const FRAME_ERRORS = [
  'BAD_INPUT',
  'TOO_FAST',
  'NO_FUNDS',
  'LIMIT_REACHED',
  'REALITY_CHECK',
  'BLOCKED',
  'SESSION_OVER',
  'SESSION_REPLACED',
  'ROUND_OVER',
  'BETS_CLOSED',
  'WALLET_DOWN',
  'PAUSED',
] as const;
export type FrameError = (typeof FRAME_ERRORS)[number];

/** Game to site. `v` is the version of the protocol. */
export type FrameMessage =
  | { readonly v: 1; readonly type: 'ready'; readonly game: string }
  | { readonly v: 1; readonly type: 'roundStart'; readonly roundId: string }
  | { readonly v: 1; readonly type: 'roundEnd'; readonly roundId: string }
  | { readonly v: 1; readonly type: 'balanceChanged' }
  | { readonly v: 1; readonly type: 'exit' }
  | { readonly v: 1; readonly type: 'error'; readonly code: FrameError };

/** Site to game. `pause` covers a reality check too: no new round until `resume`. */
export type SiteMessage =
  | { readonly v: 1; readonly type: 'pause' }
  | { readonly v: 1; readonly type: 'resume' }
  | { readonly v: 1; readonly type: 'mute'; readonly on: boolean }
  | { readonly v: 1; readonly type: 'realityCheck' }
  | { readonly v: 1; readonly type: 'theme'; readonly theme: 'dark' | 'light' };

/** The message of a game, or null for anything that is none: another shape, another version, a field too many. */
export function frameMessage(data: unknown): FrameMessage | null {
  const { type, game, roundId, code } = fieldsOf(data);
  switch (type) {
    case 'ready':
      return isId(game) && only(data, 'game') ? { v: 1, type, game } : null;
    case 'roundStart':
    case 'roundEnd':
      return isId(roundId) && only(data, 'roundId') ? { v: 1, type, roundId } : null;
    case 'balanceChanged':
    case 'exit':
      return only(data) ? { v: 1, type } : null;
    case 'error': {
      const known = FRAME_ERRORS.find((one) => one === code);
      return known && only(data, 'code') ? { v: 1, type, code: known } : null;
    }
    default:
      return null;
  }
}

/** The message of the site, or null. */
export function siteMessage(data: unknown): SiteMessage | null {
  const { type, on, theme } = fieldsOf(data);
  switch (type) {
    case 'pause':
    case 'resume':
    case 'realityCheck':
      return only(data) ? { v: 1, type } : null;
    case 'mute':
      return typeof on === 'boolean' && only(data, 'on') ? { v: 1, type, on } : null;
    case 'theme':
      return (theme === 'dark' || theme === 'light') && only(data, 'theme') ? { v: 1, type, theme } : null;
    default:
      return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;
const NONE: Fields = {};

/** The fields of a plain object of version 1; none for anything else. */
function fieldsOf(data: unknown): Fields {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return NONE;
  return (data as Fields).v === 1 ? (data as Fields) : NONE;
}

function only(data: unknown, ...fields: string[]): boolean {
  return Object.keys(data as object).every((key) => key === 'v' || key === 'type' || fields.includes(key));
}

/** A name or number of a game or round: short and plain, so that it may stand in a page or a log. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9._:-]{1,80}$/.test(value);
}
