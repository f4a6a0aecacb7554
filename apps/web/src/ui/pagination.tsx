import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconChevronLeft, IconChevronRight } from './icons.ts';
import css from './data-table.module.css';

/**
 * Page and rows per page of a list, as `Pagination` takes them. A page is one of what was asked for: where that or the rows
 * per page change, it is the first again. `asked`: plain data.
 */
export function usePages(asked: unknown, rowsAtFirst: number) {
  const [limit, onLimit] = useState(rowsAtFirst);
  const of = JSON.stringify([asked, limit]);
  const [at, setAt] = useState({ of, page: 1 });
  if (at.of !== of) setAt({ of, page: 1 });
  return { page: at.of === of ? at.page : 1, limit, onPage: (page: number) => setAt({ of, page }), onLimit };
}

/**
 * The way through a list whose pages begin behind a cursor, newest first: each page names the one behind it. Begins anew where
 * what was asked for changes; `asked`: plain data.
 */
export function useCursor<Cursor>(asked: unknown) {
  const of = JSON.stringify(asked);
  // Where each page shown so far began.
  const [at, setAt] = useState<{ of: string; starts: ReadonlyArray<Cursor | null> }>({ of, starts: [null] });
  if (at.of !== of) setAt({ of, starts: [null] });
  const starts = at.of === of ? at.starts : [null];
  return {
    start: starts.at(-1) ?? null,
    onNewer: starts.length < 2 ? null : () => setAt({ of, starts: starts.slice(0, -1) }),
    onOlder: (next: Cursor) => setAt({ of, starts: [...starts, next] }),
  };
}

/** Its two buttons. `next`: where the page behind the shown one begins, null where there is none. */
export function CursorPages<Cursor>({
  onNewer,
  onOlder,
  next,
}: Pick<ReturnType<typeof useCursor<Cursor>>, 'onNewer' | 'onOlder'> & { next: Cursor | null }) {
  return (
    <nav className="row between" aria-label={t`Pages`}>
      <Button disabled={onNewer === null} onClick={() => onNewer?.()}>
        {t`Newer`}
      </Button>
      <Button disabled={next === null} onClick={() => next !== null && onOlder(next)}>
        {t`Older`}
      </Button>
    </nav>
  );
}

/** "1 to 15 of 248 entries", the pages, and rows per page where `onLimit` is given. Pages count from 1. */
export function Pagination({
  page,
  limit,
  total,
  onPage,
  limits = [10, 15, 25, 50, 100],
  onLimit,
}: {
  page: number;
  limit: number;
  total: number;
  onPage: (page: number) => void;
  limits?: readonly number[];
  onLimit?: (limit: number) => void;
}) {
  const pages = Math.max(1, Math.ceil(total / limit));
  const from = total === 0 ? 0 : (page - 1) * limit + 1;
  const to = Math.min(total, page * limit);
  return (
    <div className={css.pages}>
      <span className="num" role="status">
        {t`${from} to ${to} of ${total} entries`}
      </span>
      {onLimit && (
        <label className="row g-4">
          {t`Rows per page`}
          <select className={css.pageSize} value={limit} onChange={(event) => onLimit(Number(event.target.value))}>
            {[...new Set([...limits, limit])]
              .sort((a, b) => a - b)
              .map((n) => (
                <option key={n} value={n}>
                  {n}
                </option>
              ))}
          </select>
        </label>
      )}
      <nav className={css.pageNumbers} aria-label={t`Pages`}>
        <button type="button" aria-label={t`Previous page`} disabled={page <= 1} onClick={() => onPage(page - 1)}>
          <Icon of={IconChevronLeft} size={15} />
        </button>
        {pageList(page, pages).map((n) =>
          n < 0 ? (
            <span key={n} aria-hidden="true">
              …
            </span>
          ) : (
            <button
              key={n}
              type="button"
              aria-label={t`Page ${n}`}
              aria-current={n === page ? 'page' : undefined}
              onClick={() => onPage(n)}
            >
              {n}
            </button>
          ),
        )}
        <button type="button" aria-label={t`Next page`} disabled={page >= pages} onClick={() => onPage(page + 1)}>
          <Icon of={IconChevronRight} size={15} />
        </button>
      </nav>
    </div>
  );
}

/** First, last and the pages around the current one; a negative number stands for a gap. */
export function pageList(page: number, pages: number): number[] {
  if (pages <= 7) return Array.from({ length: pages }, (_, i) => i + 1);
  const middle = [page - 1, page, page + 1].filter((n) => n > 1 && n < pages);
  const list = [1, ...middle, pages];
  const out: number[] = [];
  for (const n of list) {
    const before = out.at(-1);
    if (before !== undefined && n - before === 2) out.push(n - 1);
    else if (before !== undefined && n - before > 2) out.push(-n);
    out.push(n);
  }
  return out;
}
