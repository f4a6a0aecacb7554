/**
 * What crosses between a provider's program and its own game page (same origin, JSON), and between the page in its frame
 * and the site around it (postMessage). Money in minor units.
 */
import type { Category, Family } from './game.ts';

/** `GET /page/session?s={session}`: everything the page needs to begin, and again after a reload. */
export interface SessionView {
  readonly game: string;
  readonly brand: { readonly name: string; readonly look: 'a' | 'b' };
  readonly mode: 'real' | 'demo';
  readonly currency: string;
  readonly balanceMinor: number;
  /** The lowest of the game's, the session's and the account's most. */
  readonly maxStakeMinor: number;
  readonly clientSeed: string;
  /** Hash of the server seed of the next round, and that round's nonce. */
  readonly next: { readonly commit: string; readonly nonce: number };
  /** A round of several steps that is still open. */
  readonly open: RoundView | null;
  /** The next round may start from here (milliseconds since 1970, the provider's clock `now`). */
  readonly readyAt: number;
  readonly now: number;
  readonly theme: 'dark' | 'light';
  /** Origin of the site around the frame: messages are sent to it and taken from it only. */
  readonly parentOrigin: string;
}

/** A round of one player: `POST /page/open {s, key, wager}`, `POST /page/move {s, key, roundId, move}`. */
export interface RoundView {
  readonly roundId: string;
  readonly wager: unknown;
  /** The game's own `view`. */
  readonly view: unknown;
  readonly over: boolean;
  readonly stakeMinor: number;
  readonly paidMinor: number;
  readonly moves: readonly unknown[];
}

export interface RoundReply {
  readonly round: RoundView;
  readonly balanceMinor: number;
  readonly readyAt: number;
  readonly now: number;
  readonly next: { readonly commit: string; readonly nonce: number };
}

/** Everything a finished round can be checked with: `GET /page/round?s=&id=`. */
export interface RoundProof {
  readonly roundId: string;
  readonly game: string;
  readonly commit: string;
  readonly serverSeed: string;
  readonly clientSeed: string;
  readonly nonce: number;
  readonly wager: unknown;
  readonly moves: readonly unknown[];
  readonly stakeMinor: number;
  readonly paidMinor: number;
  /** Shared games: the multiple this bet was cashed out at. */
  readonly cashedTimes: number | null;
  /** Shared games: what the client seed was made of (`sharedSeed` of @fairgame/casino): a base and the bettors' own seeds. */
  readonly seedOf?: { readonly base: string; readonly words: readonly string[] };
}

/**
 * `POST /page/seed {s, clientSeed}` (no open round): the player's own seed, at most 64 characters, from the next round on; its
 * nonce begins at 0 again. In a shared game it is his word in the public seed of every round in which he then bets.
 */
export interface SeedReply {
  readonly clientSeed: string;
  readonly next: { readonly commit: string; readonly nonce: number };
}

/** `GET /page/history?s=` newest first, at most 50. Shared games: `roundId` is the bet's `betId`, for `/page/round` too. */
export interface HistoryRow {
  readonly roundId: string;
  readonly at: number;
  readonly stakeMinor: number;
  readonly paidMinor: number;
  readonly over: boolean;
}

// ------------------------------------------------------------------------------------------------------ shared games

/**
 * Sent by `GET /page/live?s=` as server-sent events, whole each time, at every change of phase and of the own bets. Before
 * the provider ends the stream for good it sends the event `gone` with a PageError (session over or replaced).
 */
export interface LiveView {
  readonly roundId: string;
  readonly phase: 'bets' | 'runs' | 'rests';
  /** The provider's clock. */
  readonly now: number;
  readonly phaseStartedAt: number;
  /** End of the phase; null while a crash game runs. */
  readonly phaseEndsAt: number | null;
  readonly commit: string;
  /** Of the round after this one: its seed is fixed already. */
  readonly nextCommit: string;
  readonly nonce: number;
  /** Final when betting ends: each of the first bettors puts his own seed into it. */
  readonly clientSeed: string;
  /** The game's `view` of the result; null while bets are taken. */
  readonly view: unknown;
  /** Results of the last rounds, newest first: views of finished rounds. */
  readonly last: readonly unknown[];
  readonly bets: readonly LiveBet[];
  /** Sums over all players of this round. */
  readonly players: number;
}

/** `POST /page/bet {s, key, roundId, wager}` while bets are taken; `POST /page/cashout {s, key, betId}` while it runs. */
export interface LiveBet {
  readonly betId: string;
  readonly wager: unknown;
  readonly stakeMinor: number;
  readonly cashedTimes: number | null;
  /** null until paid (0 where lost). */
  readonly paidMinor: number | null;
}

export interface BetReply {
  readonly bet: LiveBet;
  readonly balanceMinor: number;
}

// ----------------------------------------------------------------------------------------------------------- failures

/**
 * Every refusal of the page's calls: HTTP 4xx or 503 with `{error: PageError}`. A call with a `key` may be repeated with the
 * same key: it is done once and answered alike. After WALLET_DOWN read the session again (the next commitment may be new).
 */
export interface PageError {
  readonly code:
    | 'BAD_INPUT'
    | 'TOO_FAST'
    | 'NO_FUNDS'
    | 'LIMIT_REACHED'
    | 'REALITY_CHECK'
    | 'BLOCKED'
    | 'SESSION_OVER'
    | 'SESSION_REPLACED'
    | 'ROUND_OVER'
    | 'BETS_CLOSED'
    | 'WALLET_DOWN'
    | 'PAUSED';
  readonly text: string;
  readonly field?: string;
  readonly readyAt?: number;
}

// ------------------------------------------------------------------------------------- messages through the frame's edge

// Shapes and the parser of both directions: `frameMessage`, `siteMessage` of @fairgame/contract/frame. Every code of a
// PageError is one of its FrameError.
export type { FrameMessage, SiteMessage } from '@fairgame/contract/frame';

// ----------------------------------------------------------------------------------------------- list of the provider

/** A game in a provider's list, before its dialect writes it. */
export interface ListedGame {
  readonly code: string;
  readonly name: string;
  readonly category: Category;
  readonly family: Family;
  /** Path of the drawn tile on the provider's origin. */
  readonly thumb: string;
  readonly status: 'ACTIVE' | 'MAINTENANCE';
  readonly minStakeMinor: number;
  readonly maxStakeMinor: number;
  /** Lowest and highest return of its bets, in millionths. */
  readonly returnPpm: readonly [number, number];
}
