import { CALLS, eq } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useCall } from '../../api/api.ts';
import { Signal } from '../../platform/listeners.ts';
import { perPlayer } from '../../platform/per-player.ts';
import { tab } from '../../platform/storage.ts';
import { toast } from '../../platform/toasts.ts';
import { positionText } from './amounts.ts';
import type { Scope } from './fields.tsx';

/** A round with own bets whose end this tab has not shown yet, by table. It outlives a reload. */
interface Awaited {
  readonly betId: number;
  readonly roundNo: number;
  readonly mid: string;
}

const STORE = 'fg.player.awaited';
let awaited = Object(tab.value(STORE)) as Readonly<Record<string, Awaited>>;
const changed = new Signal();
perPlayer(() => put({}));

function put(next: Readonly<Record<string, Awaited>>): void {
  awaited = next;
  tab.keep(STORE, next);
  changed.tell();
}

function forget(code: string): void {
  const { [code]: _, ...rest } = awaited;
  put(rest);
}

export interface Missed {
  readonly roundNo: number;
  readonly mid: string;
  readonly netMinor: number;
}

/**
 * A round the player had bets in that ended while the line was down or the page away: what it brought, to be shown with a
 * way to the round. Null where there is none.
 */
export function useMissed({ now, info, bets }: Pick<Scope, 'now' | 'info' | 'bets'>): [Missed | null, () => void] {
  const { round } = now;
  const [told, setTold] = useState<Missed | null>(null);
  const waits = useSyncExternalStore(changed.on, () => awaited[info.code]);
  const { betId, roundNo, mid } = round;
  const mine = bets.fields.size > 0;
  const shown = bets.netMinor !== null;
  // The round on the screen is awaited from the first bet until its result is seen.
  useEffect(() => {
    if (mine && !shown && awaited[info.code]?.betId !== betId)
      put({ ...awaited, [info.code]: { betId, roundNo, mid } });
    if (shown && awaited[info.code]?.betId === betId) forget(info.code);
  }, [mine, shown, betId, roundNo, mid, info.code]);

  const past = waits && waits.betId !== betId && betId > 0 ? waits : null;
  const { data } = useCall(
    CALLS.bets.list,
    { query: { betId: eq(past?.betId ?? 0), limit: '100' } },
    { enabled: past !== null, refetchMs: 3000 },
  );
  const netMinor = useMemo(() => {
    if (past === null || !data) return null;
    const rows = data.rows.filter((bet) => bet.betId === past.betId && bet.deleteReason === null);
    if (rows.some((bet) => bet.result === 'PENDING' || bet.result === 'UNDECLARE')) return null;
    return rows.reduce((sum, bet) => sum + bet.profitLoss, 0);
  }, [past, data]);
  useEffect(() => {
    if (past === null || netMinor === null) return;
    setTold({ roundNo: past.roundNo, mid: past.mid, netMinor });
    toast.info(
      t`${{ table: info.name }}, round ${{ roundNo: past.roundNo }} ended: ${{ result: positionText(netMinor) }}`,
    );
    forget(info.code);
  }, [past, netMinor, info.code, info.name]);
  return [told, () => setTold(null)];
}
