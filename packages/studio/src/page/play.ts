/** What the parts of the page share while a game is played, and the small hooks around it. */
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type AnyGame, RuleError } from '../game.ts';
import type { PageError, SessionView } from '../wire.ts';
import type { Api } from './api.ts';
import { amount } from './board.ts';
import type { Site } from './site.ts';
import type { Sound } from './sound.ts';

/** Why nothing may be started: drawn over board and panel, which are inert meanwhile. */
export interface Cover {
  readonly kind: 'pause' | 'reality' | 'end';
  readonly title: string;
  readonly text: string;
  /** The player may try whether it is over; what comes from the site ends by the site. */
  readonly again?: boolean;
}

/** A line in the panel that stays until the next act. */
export interface Note {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
}

export interface Play {
  readonly api: Api;
  readonly site: Site;
  readonly sound: Sound;
  readonly rules: AnyGame;
  readonly session: SessionView;
  /** Why the panel is closed, in a word for its button; null while it is open. */
  readonly closed: string | null;
  readonly motion: boolean;
  /** Says it once to assistive technology, politely. */
  readonly say: (text: string) => void;
  /** Tells the site, covers the game where the refusal asks for it, and else returns what the panel should say. */
  readonly refused: (error: PageError) => Note | null;
  /** The hashes that stood on this page before the rounds it has seen begin: what a check compares with. */
  readonly seen: Seen;
  /** What the fairness panel shows of the next round. */
  readonly onNext: (next: Partial<Next>) => void;
}

export interface Seen {
  /** The hash shown now for the next round of this player's own; null while it may be another. */
  now(): string | null;
  /** The provider may have changed the next seed: what stands on the page no longer counts until it is read again. */
  forget(): void;
  keep(roundId: string, commit: string): void;
  of(roundId: string): string | undefined;
}

export interface Next {
  readonly commit: string;
  readonly nonce: number;
  /** The player's own seed. */
  readonly clientSeed: string;
  /** Shared games: the round that is on; `seed` is the public one, final when betting ends. */
  readonly table: { readonly commit: string; readonly nonce: number; readonly seed: string } | null;
}

/** Words for a refusal; the provider's own text where it says more. */
const WORDS: Readonly<Partial<Record<PageError['code'], string>>> = {
  NO_FUNDS: 'Your balance does not cover this stake. Nothing was played.',
  BETS_CLOSED: 'Bets are closed. Nothing was staked.',
  ROUND_OVER: 'That round is over. Its result is shown.',
};

export function noteOf(error: PageError): Note {
  const text = WORDS[error.code] ?? error.text;
  return { tone: error.code === 'TOO_FAST' || error.code === 'LIMIT_REACHED' ? 'warn' : 'bad', text };
}

export function coverOf(error: PageError): Cover | null {
  switch (error.code) {
    case 'SESSION_OVER':
      return {
        kind: 'end',
        title: 'This session is over',
        text: 'Open the game again to go on. Your balance is safe.',
      };
    case 'SESSION_REPLACED':
      return {
        kind: 'end',
        title: 'Opened in another place',
        text: 'This game was opened again elsewhere, and goes on there. Open rounds and bets are kept.',
      };
    case 'BLOCKED':
      return { kind: 'end', title: 'Play is closed for this account', text: error.text };
    case 'REALITY_CHECK':
      return { ...REALITY, again: true };
    case 'PAUSED':
      return { kind: 'pause', title: 'Closed for a moment', text: error.text, again: true };
    default:
      return null;
  }
}

export const PAUSED: Cover = {
  kind: 'pause',
  title: 'Paused',
  text: 'The game waits. Nothing is started and nothing is lost.',
};
export const REALITY: Cover = {
  kind: 'reality',
  title: 'Time to look up',
  text: 'Your reality check is due. Answer it beside the game, then play goes on from here.',
};

/** Stake of a wager that is not sent yet, or why the rules do not take it. */
export function stakeOfWager(rules: AnyGame, wager: unknown, maxMinor: number): { minor: number } | { off: string } {
  try {
    const minor = rules.stakeOf(rules.wager(wager));
    return minor > maxMinor ? { off: `Highest stake is ${amount(maxMinor, 'needed')}` } : { minor };
  } catch (error) {
    if (error instanceof RuleError) return { off: error.message };
    throw error;
  }
}

/** "Paid 198.00 on a stake of 100.00." A return up to the stake is told as calmly as none. */
export function resultWords(stakeMinor: number, paidMinor: number): string {
  if (paidMinor === 0) return `Nothing returned of ${amount(stakeMinor)}.`;
  if (paidMinor <= stakeMinor) return `Returned ${amount(paidMinor)} of ${amount(stakeMinor)}.`;
  return `Paid ${amount(paidMinor)} on a stake of ${amount(stakeMinor)}.`;
}

export const signed = (minor: number) =>
  minor > 0 ? `+${amount(minor)}` : minor < 0 ? `−${amount(-minor)}` : amount(0);

/** Whole seconds until the provider's clock reaches `readyAt`; 0 when it has. */
export function useSecondsUntil(readyAt: number, skewMs: number): number {
  const left = useCallback(() => Math.max(0, Math.ceil((readyAt - Date.now() - skewMs) / 1000)), [readyAt, skewMs]);
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (left() === 0) return;
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 100);
    return () => clearInterval(timer);
  }, [left]);
  // The effect runs after the first drawing with a new time: until then the state is of the old one.
  return left() === 0 ? 0 : Math.max(seconds, 1);
}

function subscribeOnline(changed: () => void) {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

export const useOnline = () => useSyncExternalStore(subscribeOnline, () => navigator.onLine);

/** False where the player's system asks for less motion, and while the page is out of sight. */
export function useMotion(): boolean {
  return useSyncExternalStore(subscribeMotion, () => !document.hidden && !reduced()?.matches);
}

const reduced = () => window.matchMedia?.('(prefers-reduced-motion: reduce)');

function subscribeMotion(changed: () => void) {
  const query = reduced();
  query?.addEventListener('change', changed);
  document.addEventListener('visibilitychange', changed);
  return () => {
    query?.removeEventListener('change', changed);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** "Under 50.00"-like words for a wager of any game: its plain fields but the stake. */
export function wagerWords(wager: unknown): string {
  if (typeof wager !== 'object' || wager === null) return '';
  const parts: string[] = [];
  for (const [name, value] of Object.entries(wager)) {
    if (name === 'stakeMinor' || value === null || value === undefined) continue;
    if (name === 'autoTimes' && typeof value === 'number') parts.push(`auto ${(value / 100).toFixed(2)}×`);
    else if (name === 'mark' && typeof value === 'number') parts.push((value / 100).toFixed(2));
    else if (typeof value === 'string') parts.push(value);
    else if (typeof value === 'number' || typeof value === 'boolean') parts.push(`${name} ${value}`);
    else if (Array.isArray(value))
      parts.push(value.every((one) => typeof one !== 'object') ? value.join(' ') : `${value.length} ${name}`);
  }
  return parts.join(', ');
}

/** What the game has fixed for the rounds to come, and what of it stood on the page when a round began. */
export function useNext(session: SessionView) {
  const [next, setNext] = useState<Next>({ ...session.next, clientSeed: session.clientSeed, table: null });
  const shownNext = useRef<string | null>(session.next.commit);
  const onNext = useCallback((news: Partial<Next>) => {
    if (news.commit !== undefined) shownNext.current = news.commit;
    setNext((held) => ({ ...held, ...news }));
  }, []);
  const seen = useMemo<Seen>(() => {
    const held = new Map<string, string>();
    return {
      now: () => shownNext.current,
      forget: () => {
        shownNext.current = null;
      },
      keep: (roundId, commit) => void held.set(roundId, commit),
      of: (roundId) => held.get(roundId),
    };
  }, []);
  return { next, onNext, seen };
}
