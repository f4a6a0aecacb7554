import type { TableCode } from '@fairgame/casino';
import { CARD_TABLES_AT_ONCE } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { useInSight } from '../../live/live.ts';
import { listed } from '../../platform/format.ts';
import { named } from '../../platform/named.ts';
import { Link, useNavigate, useSearchParams } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconPlus, IconX } from '../../ui/icons.ts';
import { NARROW, useMedia } from '../../ui/media.ts';
import { EmptyState } from '../../ui/note.tsx';
import { leaveTables } from './chips.ts';
import { ChipsPassword } from './chips-password.tsx';
import { IconArrowsDiagonal, IconLayoutColumns } from './icons.ts';
import { Table } from './table.tsx';
import { SoundSwitch } from './table-bar.tsx';
import { restTable } from './table-socket.ts';
import { sideBySide, type TableName, tablesOf } from './tables.ts';
import buttonCss from '../../ui/button.module.css';
import fieldCss from '../../ui/field.module.css';
import panelCss from '../../ui/panel.module.css';
import shellCss from '../../ui/shell.module.css';
import css from './side-by-side.module.css';

const AddTable = lazy(async () => ({ default: (await import('./add-table.tsx')).AddTable }));

/**
 * Two to four card tables on one page, which the address names; each has its own felt, fields, clock and bar of bets. Where
 * there is no room beside one another, one is shown and the others are a press away: those are not followed meanwhile.
 */
export function Screen() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const narrow = useMedia(NARROW);
  const [adds, setAdds] = useState(false);
  const [pressed, setPressed] = useState('');
  const tables = tablesOf(query);
  const hand = tables.find(({ code }) => code === pressed) ?? tables[0];
  const names = listed(...tables.map(({ name }) => named(name)));
  useTitle(names || t`Tables side by side`);
  useEffect(() => leaveTables, []);

  const goTo = (code: string) => {
    // Where there is room for one, it is drawn first.
    flushSync(() => setPressed(code));
    document.getElementById(placeOf(code))?.focus();
  };
  useTableKeys(tables, hand, goTo);
  const takeAway = ({ code }: TableName) => {
    const left = tables.filter((one) => one.code !== code);
    // The last one has a page of its own.
    void navigate(left.length > 1 ? sideBySide(left.map((one) => one.code)) : `/${left[0]?.route ?? 'casino'}`);
  };
  return (
    <>
      <h1 className="sr">{t`Tables side by side`}</h1>
      {hand === undefined ? (
        <section className={panelCss.panel}>
          <EmptyState
            icon={IconLayoutColumns}
            title={t`No tables chosen`}
            action={
              <Button kind="pri" onClick={() => setAdds(true)}>
                {t`Choose a table`}
              </Button>
            }
          >
            {t`Put up to four card tables beside one another.`}
          </EmptyState>
        </section>
      ) : (
        <>
          <Head tables={tables} hand={hand} narrow={narrow} onGo={goTo} onAdd={() => setAdds(true)} />
          <div className={cx(css.side, shellCss.bleed)} data-tables={narrow ? 1 : tables.length}>
            {tables
              .filter((table) => !narrow || table === hand)
              .map((table) => (
                <Place
                  key={table.code}
                  table={table}
                  inHand={table === hand}
                  tools={<Tools table={table} onAway={takeAway} />}
                  onHand={() => setPressed(table.code)}
                />
              ))}
          </div>
        </>
      )}
      <ChipsPassword />
      <Suspense fallback={null}>
        {adds && <AddTable beside={tables.map(({ code }) => code)} onClose={() => setAdds(false)} />}
      </Suspense>
    </>
  );
}

function Tools({ table, onAway }: { table: TableName; onAway: (table: TableName) => void }) {
  return (
    <>
      <Link
        className={buttonCss.icon}
        to={`/${table.route}`}
        aria-label={t`${{ table: named(table.name) }} on a page of its own`}
        title={t`On a page of its own`}
      >
        <Icon of={IconArrowsDiagonal} size={17} />
      </Link>
      <IconButton
        icon={IconX}
        label={t`Take ${{ table: named(table.name) }} away`}
        size={17}
        onClick={() => onAway(table)}
      />
    </>
  );
}

/** The tables by name, and a way to one more. */
function Head({
  tables,
  hand,
  narrow,
  onGo,
  onAdd,
}: {
  tables: readonly TableName[];
  hand: TableName;
  narrow: boolean;
  onGo: (code: string) => void;
  onAdd: () => void;
}) {
  const full = tables.length >= CARD_TABLES_AT_ONCE;
  return (
    <div className={css.head}>
      <nav className={css.count} aria-label={t`Tables on this page`}>
        {tables.map(({ code, name }) => (
          <button
            key={code}
            type="button"
            className={css.go}
            aria-current={code === hand.code || undefined}
            onClick={() => onGo(code)}
          >
            {named(name)}
          </button>
        ))}
      </nav>
      {!narrow && tables.length > 1 && (
        <span className={fieldCss.key} title={t`F6 goes to the next table, Shift and F6 to the one before`}>
          <Trans>
            F6<span className="sr"> goes to the next table, Shift and F6 to the one before</span>
          </Trans>
        </span>
      )}
      <SoundSwitch />
      {narrow ? (
        <IconButton icon={IconPlus} label={t`Add a table`} disabled={full} onClick={onAdd} />
      ) : (
        <Button
          icon={IconPlus}
          size="sm"
          disabled={full}
          title={full ? t`Four tables are the most` : undefined}
          onClick={onAdd}
        >
          {t`Add a table`}
        </Button>
      )}
    </div>
  );
}

interface PlaceProps {
  table: TableName;
  inHand: boolean;
  tools: ReactNode;
  onHand: () => void;
}

/** Where the focus goes when a table is asked for. */
const placeOf = (code: string): string => `table-${code}`;

/**
 * F6 goes to the next table and Shift+F6 to the one before, from elsewhere on the page to the one in hand. Beyond the last
 * one the key is the browser's again, which walks through its own parts with it.
 */
function useTableKeys(tables: readonly TableName[], hand: TableName | undefined, goTo: (code: string) => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('dialog[open]'))
      return;
    const here = tables.findIndex(({ code }) =>
      document.getElementById(placeOf(code))?.contains(document.activeElement),
    );
    const next = here < 0 ? hand : tables[here + (event.shiftKey ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    goTo(next.code);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function Place({ table: { code, name }, inHand, tools, onHand }: PlaceProps) {
  const id = useId();
  return (
    <section
      id={placeOf(code)}
      ref={useInSight(useCallback((seen) => restTable(code, !seen), [code]))}
      className={css.table}
      aria-labelledby={id}
      tabIndex={-1}
      data-hand={inHand || undefined}
      onPointerDownCapture={onHand}
      onFocusCapture={onHand}
    >
      <h2 id={id} className="sr">
        {named(name)}
      </h2>
      <Table code={code as TableCode} name={named(name)} beside={{ inHand, tools }} />
    </section>
  );
}
