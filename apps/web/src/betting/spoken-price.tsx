import { msg, t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { useMarket, useRunner, useSpeaks } from '../live/live.ts';
import { say } from '../platform/language.ts';
import { named } from '../platform/named.ts';
import { useSlip } from '../slip/slip.ts';
import { announce } from '../ui/live-region.tsx';
import { cellText, kindOf, sideWord, veilOf } from './kinds.ts';

/** A price is spoken at most this often, however fast it moves (A11Y-01). */
const EVERY_MS = 5000;

/**
 * Speaks for the bet in the slip: its price when it moves, its market when it is suspended or runs again. Draws nothing; no
 * other price of the page is ever spoken by itself.
 */
export function SpokenPrice() {
  const draft = useSlip();
  const speaks = useSpeaks();
  const open = draft !== null && draft.phase !== 'done' && draft.phase !== 'placing' && draft.phase !== 'checking';
  const marketId = open ? draft.marketId : 0;
  const market = useMarket(marketId);
  const runner = useRunner(marketId, open ? draft.runnerId : 0);
  const chosen = open ? `${draft.marketId}.${draft.runnerId}.${draft.side}` : null;

  const veil = market && runner ? veilOf(market, runner) : null;
  const price = open && !veil ? wordsOf(draft, runner) : null;
  const last = useRef({
    chosen: null as string | null,
    price: null as string | null,
    veil: null as string | null,
    at: 0,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const was = last.current;
    if (was.chosen !== chosen) {
      // The press itself named its price.
      last.current = { chosen, price, veil, at: 0 };
      clearTimeout(timer.current);
      return;
    }
    if (was.veil !== veil) {
      was.veil = veil;
      if (chosen && market)
        announce(
          veil ? `${named(market.name)}: ${say(VEIL_WORDS[veil])}` : t`${{ market: named(market.name) }}: open again`,
        );
    }
    if (!speaks) clearTimeout(timer.current);
    if (!speaks || price === null || price === was.price) return;
    clearTimeout(timer.current);
    const speak = () => {
      last.current.price = price;
      last.current.at = Date.now();
      announce(price);
    };
    const wait = was.at + EVERY_MS - Date.now();
    if (wait <= 0) speak();
    else timer.current = setTimeout(speak, wait);
  }, [chosen, price, veil, market, speaks]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return null;
}

const VEIL_WORDS = {
  suspended: msg`suspended`,
  ball: msg`ball running`,
  settling: msg`settling`,
  closed: msg`closed`,
  removed: msg`runner removed`,
} as const;

function wordsOf(
  draft: { kind: string; side: 'BACK' | 'LAY'; box?: number; runnerName: string },
  runner: Parameters<typeof cellText>[1],
): string | null {
  const level = runner?.[draft.side === 'BACK' ? 'back' : 'lay'][draft.box ?? 0] ?? null;
  const text = cellText(draft.kind, runner, draft.side, level);
  const word = sideWord(draft.kind, draft.side);
  if (!text) return t`${word} ${{ runner: named(draft.runnerName) }}: no price`;
  return kindOf(draft.kind).line
    ? t`${word} ${{ runner: named(draft.runnerName) }}: ${{ runs: text.price }} runs, rate ${{ rate: text.size }}`
    : `${word} ${named(draft.runnerName)}: ${text.price}`;
}
