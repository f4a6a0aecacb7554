import { clockText, type LanguageTag } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { atItsPace, errorText } from '../../api/api.ts';
import { language, say, type Words } from '../../platform/language.ts';
import { toast } from '../../platform/toasts.ts';
import { timeZone } from '../../platform/zone.ts';
import { Button } from '../../ui/button.tsx';
import { IconDownload } from '../../ui/icons.ts';
import { downloadCsv } from './csv.ts';

/** What a file has of each row, under the head of its column. */
export type Cells<Row> = ReadonlyArray<readonly [head: Words, cell: (row: Row) => string]>;

interface Page<R> {
  rows: R[];
  total: number;
}

const PAGE_ROWS = 100;
const MOST_TRIES = 3;

/**
 * All rows of a list that is read page by page while it may grow, newest first. It is read oldest first, so that what is new
 * comes behind what was read; a list whose length changed meanwhile is read once more. Throws when it never stands still.
 */
export async function readWhole<R>(
  read: (page: string, limit: string) => Promise<Page<R>>,
  idOf: (row: R) => number,
): Promise<R[]> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const rows = new Map<number, R>();
    let total: number | null = null;
    for (let page = 1; ; page++) {
      const part = await atItsPace(() => read(String(page), String(PAGE_ROWS)));
      for (const row of part.rows) rows.set(idOf(row), row);
      const same: boolean = total === null || total === part.total;
      total = part.total;
      if (!same || page * PAGE_ROWS >= total || part.rows.length === 0) break;
    }
    if (rows.size === total) return [...rows.values()].reverse();
  }
  throw new Error(t`The list changed while it was read. Please try again.`);
}

/** Saves rows that the client reads itself; `rows` are all of them. */
export async function saveRows<Row>(
  name: string,
  cells: Cells<Row>,
  rows: Promise<readonly Row[]> | readonly Row[],
): Promise<void> {
  downloadCsv(
    name,
    cells.map(([head]) => say(head)),
    (await rows).map((row) => cells.map(([, cell]) => cell(row))),
  );
}

/** Saves a file: says that it is at work, and what went wrong. */
export function ExportButton({
  save,
  disabled,
  children = t`Export CSV`,
}: {
  save: () => Promise<void>;
  disabled: boolean;
  children?: ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    try {
      await save();
    } catch (error) {
      toast.error(t`The file was not made. ${{ reason: errorText(error) }}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon={IconDownload} busy={busy} disabled={disabled} onClick={() => void press()}>
      {children}
    </Button>
  );
}

/** For whom a file of the server is made: by whose clock, in which language. */
export const reader = (): { timeZone: string; language: LanguageTag } => {
  const spoken = language();
  return { timeZone: timeZone(), language: spoken === 'en-XA' ? 'en' : spoken };
};

/** "12.34" of minor units, for a cell. */
export const amount = (minor: number): string => (minor / 100).toFixed(2);

/** "2026-11-20 19:42:07" by the player's own clock, for a cell. */
export const timeCell = (iso: string): string => clockText(Date.parse(iso), timeZone());
