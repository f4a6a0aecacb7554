import { COUNT, TIME } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useHotkeys } from '../platform/hotkeys.ts';
import { later } from '../platform/later.tsx';
import { eventPath, searchPath } from '../platform/links.ts';
import { useNavigate } from '../platform/routing.tsx';
import { alone } from '../ui/boundary.tsx';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';
import { IconSearch, IconX } from '../ui/icons.ts';
import type { Found } from './search-hits.tsx';
import { type SearchHit, searchEvents } from './shell-data.ts';
import fieldCss from '../ui/field.module.css';
import headerCss from '../ui/header.module.css';
import popoverCss from '../ui/popover.module.css';

const MOST = 8;

const SearchHits = alone(
  msg`Search events`,
  later(async () => (await import('./search-hits.tsx')).SearchHits),
);

/**
 * The event search of the header: asks from three characters on, 500 ms after the last key (SRC-01..05). A list box under
 * the field: arrows choose, Enter goes, Esc closes. On a phone the field opens over the header.
 */
export function EventSearch({
  open,
  onClose,
  search = searchEvents,
}: {
  /** Opened on a phone. */
  open: boolean;
  onClose: () => void;
  search?: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>;
}) {
  const listId = useId();
  const { search: key } = useHotkeys();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);
  const { text, setText, found, at, shown, setShown, close, clear, go, onKeyDown } = useSearch(field, search, onClose);

  const visible = shown && found !== null;
  return (
    <search className={cx(headerCss.search, open && 'is-open')}>
      <div className={fieldCss.input}>
        <Icon of={IconSearch} size={17} />
        <input
          ref={field}
          type="search"
          role="combobox"
          aria-label={t`Search events`}
          aria-expanded={visible}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={visible && at >= 0 ? `${listId}-${at}` : undefined}
          placeholder={t`Search events, teams, runners`}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setShown(true);
          }}
          onFocus={() => setShown(true)}
          onBlur={() => setShown(false)}
          onKeyDown={onKeyDown}
        />
        {text !== '' || open ? (
          <IconButton
            icon={IconX}
            label={text === '' ? t`Close search` : t`Clear search`}
            size={14}
            small
            onMouseDown={(event) => event.preventDefault()}
            onClick={text === '' ? close : clear}
          />
        ) : (
          <span className={fieldCss.key} aria-hidden="true">
            {key.toUpperCase()}
          </span>
        )}
      </div>
      {visible && (
        // A press must not take the focus from the field before the link has its click.
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus in the field, does nothing else
        <div className={popoverCss.box} onMouseDown={(event) => event.preventDefault()}>
          <SearchHits id={listId} of={found} at={at} onGo={go} />
        </div>
      )}
    </search>
  );
}

/** What is typed, what was found for it and which of that is marked. */
function useSearch(
  field: { current: HTMLInputElement | null },
  search: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>,
  onClose: () => void,
) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [shown, setShown] = useState(false);
  const { found, setFound, at, setAt } = useFound(text, search);

  const close = () => {
    setShown(false);
    onClose();
  };
  const clear = () => {
    setText('');
    setFound(null);
    field.current?.focus();
  };
  /** To the event, or without one to the page with all that was found. */
  const go = (hit?: SearchHit) => {
    const to = hit ? eventPath(hit) : searchPath(found?.text ?? text.trim());
    setText('');
    setFound(null);
    close();
    field.current?.blur();
    void navigate(to);
  };
  const hits = found?.hits ?? [];

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (text) clear();
      else field.current?.blur();
      return close();
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (hits.length > 0) go(at === hits.length ? undefined : (hits[at] ?? hits[0]));
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    if (hits.length === 0) return;
    setShown(true);
    // Behind the events stands the way to all of them.
    const count = hits.length + 1;
    setAt((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + count) % count);
  };
  return { text, setText, found, at, shown, setShown, close, clear, go, onKeyDown };
}

/** Asked for once the typing rests; an answer that comes after the next key counts no more. */
function useFound(text: string, search: (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>) {
  const [found, setFound] = useState<Found | null>(null);
  const [at, setAt] = useState(-1);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted.length < COUNT.searchChars) {
      setFound(null);
      return;
    }
    const control = new AbortController();
    const timer = setTimeout(() => {
      search(wanted, control.signal).then(
        (hits) => {
          if (control.signal.aborted) return;
          setFound({ text: wanted, hits: hits.slice(0, MOST) });
          setAt(-1);
        },
        () => {
          if (!control.signal.aborted) setFound({ text: wanted, hits: null });
        },
      );
    }, TIME.searchDebounceMs);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, search]);
  return { found, setFound, at, setAt };
}
