import type { TableCode } from '@fairgame/casino';
import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { refresh } from '../../api/api.ts';
import { named } from '../../platform/named.ts';
import { useLocation } from '../../platform/routing.tsx';
import { useTitle } from '../../platform/title.ts';
import { IconCards } from '../../ui/icons.ts';
import { EmptyState, ErrorNote } from '../../ui/note.tsx';
import { Rail, useRail } from '../../ui/rail.tsx';
import { BetBar } from './bet-bar.tsx';
import { BetPanel } from './bet-panel.tsx';
import { useBetting, useChipsOfRound } from './betting.ts';
import { leaveTables } from './chips.ts';
import { ChipsPassword } from './chips-password.tsx';
import { factsOf } from './facts.ts';
import { Fairness } from './fairness.tsx';
import { Felt } from './felt.tsx';
import { type Scope, useFields } from './fields.tsx';
import { OddsGrid } from './odds-grid.tsx';
import { TablePicture } from './picture.tsx';
import { rememberPlayed } from './recent.ts';
import { useRoundBets } from './round-bets.ts';
import { RoundBetsPanel } from './round-bets-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { TableBar, useFullScreen } from './table-bar.tsx';
import { OnCloth, OwnResult } from './table-notes.tsx';
import { tableAt } from './tables.ts';
import type { Rules } from './terms.ts';
import { loadRules, useRules } from './use-rules.ts';
import { type TableNow, useTable } from './use-table.ts';
import { rememberCommit } from './verify.ts';
import { spoken } from './vocabulary.ts';
import './tokens.css';
import { cx } from '../../ui/cx.ts';
import marketCss from '../../ui/market.module.css';
import panelCss from '../../ui/panel.module.css';
import feltCss from './felt.module.css';
import sideBySideCss from './side-by-side.module.css';
import css from './table.module.css';
import tableBarCss from './table-bar.module.css';

// The rules come beside the table's first reading, not after it.
void loadRules().catch(() => undefined);

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));
const Statistics = lazy(async () => ({ default: (await import('./statistics.tsx')).Statistics }));
const RulesModal = lazy(async () => ({ default: (await import('./rules-modal.tsx')).RulesModal }));
const HowModal = lazy(async () => ({ default: (await import('./rules-modal.tsx')).HowModal }));
const AddTable = lazy(async () => ({ default: (await import('./add-table.tsx')).AddTable }));

/** The one screen of all card tables: the route says which. */
export function Screen() {
  const { pathname } = useLocation();
  const table = tableAt(pathname);
  const name = table && named(table.name);
  useTitle(name ?? t`Casino`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another table is another page
  useEffect(() => leaveTables, [pathname]);
  if (!table || !name) {
    return (
      <section className={panelCss.panel}>
        <EmptyState icon={IconCards} title={t`This table does not exist`}>
          {t`The lobby has all tables.`}
        </EmptyState>
      </section>
    );
  }
  return (
    <>
      <h1 className="sr">{name}</h1>
      <Table key={table.code} code={table.code as TableCode} name={name} />
      <ChipsPassword />
    </>
  );
}

/** How a table stands among others on one page: with its own bar of bets, and without what is read in peace. */
export interface Beside {
  /** The player's last press was here. */
  readonly inHand: boolean;
  /** What can be done with it as one of several. */
  readonly tools: ReactNode;
}

interface TableProps {
  code: TableCode;
  name: string;
  /** Left out: it has the page, the rail and the shell's places to itself. */
  beside?: Beside;
}

export function Table({ code, name, beside }: TableProps) {
  const { now, error, retry } = useTable(code);
  const { rules, failed, retry: again } = useRules();
  useEffect(() => rememberPlayed(code), [code]);
  if (now && rules) return <Playing rules={rules} code={code} name={name} now={now} beside={beside ?? null} />;
  return (
    <>
      {beside && (
        <div className={cx(feltCss.felt, sideBySideCss.bar)}>
          <div className={tableBarCss.bar}>
            <span className={feltCss.title}>
              <b className="clip">{name}</b>
            </span>
            {beside.tools}
          </div>
        </div>
      )}
      {error ? (
        <ErrorNote title={t`The table did not load.`} onRetry={retry}>
          {t`${{ reason: error.message }} Nothing was placed.`}
        </ErrorNote>
      ) : failed ? (
        <ErrorNote title={t`The rules of the table did not load.`} onRetry={again}>
          {t`Nothing was placed.`}
        </ErrorNote>
      ) : (
        <section className={cx(feltCss.felt, 'felt--wait')} aria-label={t`${name} is loading`} aria-busy="true" />
      )}
    </>
  );
}

interface PlayingProps extends Omit<TableProps, 'beside'> {
  rules: Rules;
  now: TableNow;
  beside: Beside | null;
}

/** What is open over the table. `rounds`: the list of them, or the one named. */
type Open = { readonly is: 'rules' | 'how' | 'add' } | { readonly is: 'rounds'; readonly mid: string | null };

function Playing({ rules, code, name, now, beside }: PlayingProps) {
  const { table, round, topTen } = now;
  const game = rules.gameOf(code);
  // The display name is the client's own: the same words as on the tile.
  const info = useMemo(() => ({ ...spoken(rules.describe(code)), name }), [rules, code, name]);
  const facts = useMemo(() => factsOf(game, round), [game, round]);
  const bets = useRoundBets(table.matchId, round.betId);
  const scope: Scope = { now, info, game, rules, bets };
  useChipsOfRound(now);
  const fields = useFields(scope);
  const betting = useBetting(scope);
  const { mode } = useRail();
  const frame = useRef<HTMLDivElement>(null);
  const full = useFullScreen(frame);
  const { url, shown, note, setPicture } = usePicture(table.videoInfo);
  const [open, setOpen] = useState<Open | null>(null);
  const showRound = (mid: string | null) => setOpen({ is: 'rounds', mid });
  const over = useRoundNews(round);
  const onFelt = useMemo(
    () => new Set(shown ? [] : info.layout.sides.map(({ selection }) => selection)),
    [info, shown],
  );
  const own = <RoundBetsPanel scope={scope} />;
  return (
    <>
      <div ref={frame} className={cx(css.table, full.on && 'is-full')} data-table={code}>
        <div className={css.stage}>
          <Felt
            info={info}
            game={game}
            facts={facts}
            round={round}
            fields={fields}
            topTen={topTen}
            heard={beside ? (beside.inHand ? 'named' : 'results') : 'all'}
            onResult={({ mid }) => showRound(mid)}
            video={shown && <TablePicture url={shown} name={name} onMissing={() => setPicture('missing')} />}
            note={note}
            tools={
              <TableBar
                name={name}
                roundNo={round.roundNo}
                video={url === null ? null : shown !== null}
                full={full}
                ends={beside?.tools}
                onVideo={(on) => setPicture(on ? 'on' : 'off')}
                onRounds={() => showRound(null)}
                onRules={() => setOpen({ is: 'rules' })}
                onAdd={() => setOpen({ is: 'add' })}
              />
            }
          />
          {over && bets.netMinor !== null && <OwnResult netMinor={bets.netMinor} />}
          <OnCloth scope={scope} onRound={showRound} />
        </div>
        <div className={css.foot}>
          <OddsGrid info={info} fields={fields} onFelt={onFelt} />
        </div>
        {(beside || mode === 'none' || full.on) && (
          <BetBar scope={scope} betting={betting} label={beside ? t`Bet slip of ${name}` : t`Bet slip`} own={own} />
        )}
      </div>
      {!beside && (
        <Around scope={scope} betting={betting} isFull={full.on} own={own} onRound={showRound} onOpen={setOpen} />
      )}
      <Opened open={open} scope={scope} onClose={() => setOpen(null)} />
    </>
  );
}

/** Remembers what a round is bound to, and reads again what its end changes. @returns whether it is over. */
function useRoundNews(round: TableNow['round']): boolean {
  useEffect(() => rememberCommit(round), [round]);
  const over = round.phase === 'RESULT' || round.phase === 'VOID';
  // A round that ends changes what the reports say, and what became of the bets in it.
  useEffect(() => {
    if (over) refresh(CALLS.casino.report, CALLS.casino.results, CALLS.casino.myRounds, CALLS.bets.list);
  }, [over]);
  return over;
}

/** The operator's picture: there, put away by the player, or promised and missing. */
function usePicture({ url, down = false }: TableNow['table']['videoInfo']) {
  const [picture, setPicture] = useState<'on' | 'off' | 'missing'>(down ? 'missing' : 'on');
  return {
    url,
    /** The address, while it is looked at. */
    shown: picture === 'on' ? url : null,
    note:
      url && picture === 'missing'
        ? t`The picture does not come just now. The table is drawn: same cards, same results.`
        : '',
    setPicture,
  };
}

/** What a table has about it where the page is its own: slip and bets in the rail, statistics and rules below. */
function Around({
  scope,
  betting,
  isFull,
  own,
  onRound,
  onOpen,
}: {
  scope: Scope;
  betting: ReturnType<typeof useBetting>;
  isFull: boolean;
  own: ReactNode;
  onRound: (mid: string | null) => void;
  onOpen: (open: Open) => void;
}) {
  const { info, game, bets, now } = scope;
  const { mode } = useRail();
  return (
    <>
      {!isFull && (
        <Rail slot="slip">
          <BetPanel scope={scope} betting={betting} />
        </Rail>
      )}
      <Rail slot="bets">{own}</Rail>
      {mode === 'none' && bets.rows.length > 0 && own}
      <Suspense fallback={null}>
        <Statistics info={info} game={game} topTen={now.topTen} onRound={onRound} />
      </Suspense>
      <div className={cx(marketCss.two, css.two)}>
        <RulesPanel info={info} onAll={() => onOpen({ is: 'rules' })} />
        <Fairness
          code={info.code}
          round={now.round}
          last={now.topTen[0]}
          onLast={(result) => onRound(result.mid)}
          onHow={() => onOpen({ is: 'how' })}
        />
      </div>
    </>
  );
}

function Opened({ open, scope: { info, now }, onClose }: { open: Open | null; scope: Scope; onClose: () => void }) {
  return (
    <div className={css.over}>
      <Suspense fallback={null}>
        {open?.is === 'rules' && <RulesModal info={info} onClose={onClose} />}
        {open?.is === 'how' && <HowModal onClose={onClose} />}
        {open?.is === 'add' && <AddTable beside={[info.code]} onClose={onClose} />}
        {open?.is === 'rounds' && (
          <History code={info.code} name={info.name} matchId={now.table.matchId} mid={open.mid} onClose={onClose} />
        )}
      </Suspense>
    </div>
  );
}
