import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { formatDay, formatTime, listed } from '../platform/format.ts';
import { eventPath, searchPath } from '../platform/links.ts';
import { named } from '../platform/named.ts';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconSearch, IconSearchOff } from '../ui/icons.ts';
import { SportIcon } from '../ui/sport-icon.tsx';
import type { SearchHit } from './shell-data.ts';
import popoverCss from '../ui/popover.module.css';

/** `hits` null: the search did not work. */
export type Found = { text: string; hits: readonly SearchHit[] | null };

/** What stands under the search field: the events found, and the way to all of them. */
export function SearchHits({
  id,
  of: { text, hits },
  at,
  onGo,
}: {
  id: string;
  of: Found;
  at: number;
  onGo: (hit?: SearchHit) => void;
}) {
  if (hits === null) return <p className={popoverCss.none}>{t`The search did not work. Try again in a moment.`}</p>;
  if (hits.length === 0) {
    return (
      <p className={cx(popoverCss.none, 'row g-4')} role="status">
        <Icon of={IconSearchOff} size={17} />
        {t`No real-time records found`}
      </p>
    );
  }
  const option = (i: number, href: string, go: () => void, children: ReactNode) => (
    <a
      key={i}
      id={`${id}-${i}`}
      role="option"
      aria-selected={i === at}
      tabIndex={-1}
      className={popoverCss.choice}
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go();
      }}
    >
      {children}
    </a>
  );
  return (
    <div id={id} role="listbox" aria-label={t`Events found`}>
      {hits.map((hit, i) =>
        option(
          i,
          eventPath(hit),
          () => onGo(hit),
          <>
            <SportIcon sport={hit.matchType} size={17} />
            <span className="grow clip">
              <b className={popoverCss.money}>{hit.title}</b>
              <small className="clip">{when(hit)}</small>
            </span>
          </>,
        ),
      )}
      {option(
        hits.length,
        searchPath(text),
        () => onGo(),
        <>
          <Icon of={IconSearch} size={17} />
          <span className="grow clip">{t`All events with “${text}”`}</span>
        </>,
      )}
    </div>
  );
}

function when(hit: SearchHit): string {
  const start = Date.parse(hit.startAt);
  const time = hit.inPlay ? t`In-play` : listed(formatDay(start), formatTime(start));
  return hit.competitionName ? `${time} · ${named(hit.competitionName)}` : time;
}
