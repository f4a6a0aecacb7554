import type { RoundCheck } from '@fairgame/casino';
import type { CardRound } from '@fairgame/contract';
import { perPlayer } from '../../platform/per-player.ts';
import { tab } from '../../platform/storage.ts';
import { loadRules } from './use-rules.ts';

/**
 * Fairness in the player's own browser: the hashes it saw before the rounds, and the same code the server deals with.
 * What is kept here outlives a reload, but not the tab and not a sign-out.
 */
const STORE = 'fg.player.rounds';
const KEPT = 60;

interface Seen {
  mid: string;
  commit: string;
}

let seen: Seen[] | null = null;
perPlayer(() => {
  seen = null;
});

function load(): Seen[] {
  const list = tab.value(STORE);
  return Array.isArray(list) ? (list as Seen[]) : [];
}

/** Keeps the hash of a round as it was shown while bets were open. The first one counts: a later one changes nothing. */
export function rememberCommit({ mid, commit, phase }: Pick<CardRound, 'mid' | 'commit' | 'phase'>): void {
  if (phase !== 'OPEN' || commit === '') return;
  seen ??= load();
  if (seen.some((one) => one.mid === mid)) return;
  seen = [...seen, { mid, commit }].slice(-KEPT);
  tab.keep(STORE, seen);
}

export type Check = RoundCheck & {
  /** The hash of the record is the one this browser was shown before the deal; null: it did not watch that round. */
  sameAsSeen: boolean | null;
};

/** Deals a finished round again from its seeds and compares. Needs no network: the rules came with
 * the table. Null while the seed is not out. */
export async function checkRound(
  code: string,
  round: Pick<CardRound, 'mid' | 'commit' | 'serverSeed' | 'clientSeed' | 'nonce' | 'words' | 'baseSeed' | 'cards'>,
  win: string,
): Promise<Check | null> {
  if (round.serverSeed === null) return null;
  seen ??= load();
  const before = seen.find((one) => one.mid === round.mid);
  const { verifyRound } = await loadRules();
  const check = verifyRound({
    code,
    commit: round.commit,
    serverSeed: round.serverSeed,
    clientSeed: round.clientSeed,
    nonce: round.nonce,
    ...(round.words.length > 0 ? { words: round.words, baseSeed: round.baseSeed } : {}),
    cards: round.cards.map((card) => card.code ?? ''),
    win,
  });
  const sameAsSeen = before ? before.commit === round.commit : null;
  return { ...check, ok: check.ok && sameAsSeen !== false, sameAsSeen };
}
