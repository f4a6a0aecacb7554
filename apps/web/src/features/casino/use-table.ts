import { CALLS, type CardResult, type CardRound, type CardTable } from '@fairgame/contract';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useCall } from '../../api/api.ts';
import { liveTable, onTable, seedTable, type TableHealth, tableHealth, watchTable } from './table-socket.ts';

export interface TableNow {
  table: CardTable;
  round: CardRound;
  topTen: readonly CardResult[];
  health: TableHealth;
}

/** A table on the screen: read once, then followed by its socket. */
export function useTable(code: string): { now: TableNow | null; error: Error | null; retry: () => void } {
  const reading = useCall(CALLS.casino.table, { query: { type: code } });
  const live = useSyncExternalStore(
    onTable,
    useCallback(() => liveTable(code), [code]),
  );
  const health = useSyncExternalStore(
    onTable,
    useCallback(() => tableHealth(code), [code]),
  );
  useEffect(() => watchTable(code), [code]);
  useEffect(() => {
    if (reading.data) seedTable(reading.data);
  }, [reading.data]);
  const table = reading.data;
  if (!table) return { now: null, error: reading.error, retry: () => void reading.refetch() };
  return {
    now: { table, round: live?.round ?? table.round, topTen: live?.topTen ?? table.topTenResult, health },
    error: null,
    retry: () => void reading.refetch(),
  };
}
