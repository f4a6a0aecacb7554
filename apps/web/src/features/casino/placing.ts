import type { PlaceBody } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useSyncExternalStore } from 'react';
import { formatStake } from '../../platform/format.ts';
import { newKey } from '../../platform/key.ts';
import { perPlayer } from '../../platform/per-player.ts';
import { allChips, chipsOf, type Laid, onChips, putChips, type Sent, say, type TableChips, warn } from './chips.ts';
import { type Fate, sendBets } from './send-bets.ts';

/** Sends the bets that lie there (or the named ones) in one go. Their keys are stored first. */
export async function place(matchId: number, ids?: readonly string[]): Promise<void> {
  const now = chipsOf(matchId);
  const going = now.laid.filter(({ id }) => ids === undefined || ids.includes(id));
  const small = going.find(({ stakeMinor, minMinor }) => stakeMinor < minMinor);
  if (small) {
    const { name, minMinor } = small;
    return say(matchId, warn(t`The smallest stake on ${name} is ${{ stake: formatStake(minMinor) }}.`));
  }
  if (going.length === 0) return;
  const sent = going.map((bet): Sent => ({ ...bet, body: bodyOf(matchId, now, bet), fate: 'sending', betId: null }));
  const same = now.played.marketId === now.marketId;
  putChips(matchId, {
    ...now,
    laid: now.laid.filter((bet) => !going.includes(bet)),
    past: [],
    sent: [...now.sent, ...sent],
    played: { marketId: now.marketId, bets: merged(same ? now.played.bets : [], going) },
    review: false,
    said: null,
  });
  await send(matchId, sent);
}

const waitsForPassword = ({ fate }: Sent): boolean => fate === 'password';

/** Whether bets of any table wait for the player's password. */
export const usePasswordAsked = (): boolean =>
  useSyncExternalStore(onChips, () => allChips().some(([, { sent }]) => sent.some(waitsForPassword)));

/** The password was given: the bets that waited for it go on under their keys. */
export function goOn(): void {
  for (const [matchId, { sent }] of allChips()) {
    const waiting = sent.filter(waitsForPassword);
    for (const { body } of waiting) mark(matchId, body.key, 'sending');
    if (waiting.length > 0) void send(matchId, waiting);
  }
}

/** The password is not given now: the chips are back on their fields. */
export function giveBack(): void {
  for (const [matchId, { sent }] of allChips()) for (const bet of sent.filter(waitsForPassword)) takeBack(matchId, bet);
}

/** After a reload: bets whose answer never came are asked for before anything else. */
export function resumeChips(): void {
  for (const [matchId, { sent }] of allChips()) {
    const open = sent.filter(
      ({ fate, body }) => (fate === 'sending' || fate === 'checking') && !underWay.has(body.key),
    );
    if (open.length > 0) void send(matchId, open, true);
  }
}

function bodyOf(matchId: number, { marketId, window }: TableChips, bet: Laid): PlaceBody {
  return {
    key: newKey(),
    betId: marketId,
    matchId,
    runnerId: bet.pick ? bet.selectionId : bet.runnerId,
    bettingType: bet.side,
    odd: bet.price,
    stake: bet.stakeMinor,
    window,
    ...(bet.line === null ? {} : { line: bet.line }),
    ...(bet.pick === null ? {} : { pick: [...bet.pick] }),
  };
}

/** Keys this page follows to their end already. */
const underWay = new Set<string>();
perPlayer(() => underWay.clear());

async function send(matchId: number, sent: readonly Sent[], knownBefore = false): Promise<void> {
  for (const { body } of sent) underWay.add(body.key);
  const placed: Laid[] = [];
  const reasons = new Set<string>();
  const step = (key: string, fate: Fate) => {
    const bet = chipsOf(matchId).sent.find(({ body }) => body.key === key);
    if (fate.is !== 'checking') underWay.delete(key);
    if (!bet) return;
    if (fate.is === 'checking') mark(matchId, key, 'checking');
    else if (fate.is === 'placed') {
      placed.push(bet);
      mark(matchId, key, 'placed', fate.answer.bet.id);
    } else if (fate.code === 'STEP_UP_REQUIRED') mark(matchId, key, 'password');
    else {
      reasons.add(`${bet.name}: ${fate.message}`);
      takeBack(matchId, bet);
    }
  };
  await sendBets(
    sent.map(({ body }) => body),
    step,
    knownBefore,
  );
  if (reasons.size > 0)
    say(matchId, { tone: 'err', text: t`Not placed: ${{ reasons: [...reasons].join(' ') }}`, placed });
  else if (placed.length > 0) say(matchId, { tone: 'ok', text: '', placed });
}

function mark(matchId: number, key: string, fate: Sent['fate'], betId: number | null = null): void {
  const now = chipsOf(matchId);
  putChips(matchId, { ...now, sent: now.sent.map((one) => (one.body.key === key ? { ...one, fate, betId } : one)) });
}

/** A bet that was not taken goes back to its field while its round is on the table. */
function takeBack(matchId: number, sent: Sent): void {
  const now = chipsOf(matchId);
  const { body, fate: _fate, betId: _betId, ...bet } = sent;
  const back = body.betId === now.marketId && !now.laid.some(({ id }) => id === bet.id);
  putChips(matchId, {
    ...now,
    sent: now.sent.filter((one) => one.body.key !== body.key),
    laid: back ? [...now.laid, bet] : now.laid,
  });
}

function merged(before: readonly Laid[], more: readonly Laid[]): Laid[] {
  const all = new Map(before.map((bet) => [bet.id, bet]));
  for (const bet of more) {
    const held = all.get(bet.id);
    all.set(bet.id, held ? { ...bet, stakeMinor: held.stakeMinor + bet.stakeMinor } : bet);
  }
  return [...all.values()];
}
