import type { TableCode } from '@fairgame/casino';
import { CALLS } from '@fairgame/contract';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { refresh } from '../../api/api.ts';
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
import '../../ui/casino.css';
import './tokens.css';
import './results.css';
import './fields.css';
import './odds-rows.css';
import './odds-zones.css';
import './bets.css';
import './table.css';

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
  const named = tableAt(pathname);
  useTitle(named?.name ?? 'Casino');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another table is another page
  useEffect(() => leaveTables, [pathname]);
  if (!named) {
    return (
      <section className="panel">
        <EmptyState icon={IconCards} title="This table does not exist">
          The lobby has all tables.
        </EmptyState>
      </section>
    );
  }
  return (
    <>
      <h1 className="sr">{named.name}</h1>
      <Table key={named.code} code={named.code as TableCode} name={named.name} />
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
        <div className="felt felt--bar">
          <div className="felt__bar">
            <span className="felt__t">
              <b className="clip">{name}</b>
            </span>
            {beside.tools}
          </div>
        </div>
      )}
      {error ? (
        <ErrorNote title="The table did not load." onRetry={retry}>
          {error.message} Nothing was placed.
        </ErrorNote>
      ) : failed ? (
        <ErrorNote title="The rules of the table did not load." onRetry={again}>
          Nothing was placed.
        </ErrorNote>
      ) : (
        <section className="felt felt--wait" aria-label={`${name} is loading`} aria-busy="true" />
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
  const info = useMemo(() => ({ ...rules.describe(code), name }), [rules, code, name]);
  const facts = useMemo(() => factsOf(game, round), [game, round]);
  const bets = useRoundBets(table.matchId, round.betId);
  const scope: Scope = { now, info, game, rules, bets };
  useChipsOfRound(now);
  const fields = useFields(scope);
  const betting = useBetting(scope);
  const { mode } = useRail();
  const frame = useRef<HTMLDivElement>(null);
  const full = useFullScreen(frame);
  const { url, down = false } = table.videoInfo;
  const [picture, setPicture] = useState<'on' | 'off' | 'missing'>(down ? 'missing' : 'on');
  const video = url !== null && picture === 'on';
  const [open, setOpen] = useState<Open | null>(null);
  const showRound = (mid: string | null) => setOpen({ is: 'rounds', mid });
  useEffect(() => rememberCommit(round), [round]);
  const over = round.phase === 'RESULT' || round.phase === 'VOID';
  // A round that ends changes what the reports say, and what became of the bets in it.
  useEffect(() => {
    if (over) refresh(CALLS.casino.report, CALLS.casino.results, CALLS.casino.myRounds, CALLS.bets.list);
  }, [over]);

  const onFelt = useMemo(
    () => new Set(video ? [] : info.layout.sides.map(({ selection }) => selection)),
    [info, video],
  );
  const own = <RoundBetsPanel scope={scope} />;
  return (
    <>
      <div ref={frame} className={full.on ? 'tbl is-full' : 'tbl'} data-table={code}>
        <div className="felt-wrap">
          <Felt
            info={info}
            game={game}
            facts={facts}
            round={round}
            fields={fields}
            topTen={topTen}
            heard={beside ? (beside.inHand ? 'named' : 'results') : 'all'}
            onResult={({ mid }) => showRound(mid)}
            video={video ? <TablePicture url={url} name={name} onMissing={() => setPicture('missing')} /> : null}
            note={
              url && picture === 'missing'
                ? 'The picture does not come just now. The table is drawn: same cards, same results.'
                : ''
            }
            tools={
              <TableBar
                name={name}
                roundNo={round.roundNo}
                video={url === null ? null : video}
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
        <div className="tbl__f">
          <OddsGrid info={info} fields={fields} onFelt={onFelt} />
        </div>
        {(beside || mode === 'none' || full.on) && (
          <BetBar scope={scope} betting={betting} label={beside ? `Bet slip of ${name}` : 'Bet slip'} own={own} />
        )}
      </div>
      {!beside && (
        <>
          {!full.on && (
            <Rail slot="slip">
              <BetPanel scope={scope} betting={betting} />
            </Rail>
          )}
          <Rail slot="bets">{own}</Rail>
          {mode === 'none' && bets.rows.length > 0 && own}
          <Suspense fallback={null}>
            <Statistics info={info} game={game} topTen={topTen} onRound={showRound} />
          </Suspense>
          <div className="two tbl-two">
            <RulesPanel info={info} onAll={() => setOpen({ is: 'rules' })} />
            <Fairness
              code={code}
              round={round}
              last={topTen[0]}
              onLast={(result) => showRound(result.mid)}
              onHow={() => setOpen({ is: 'how' })}
            />
          </div>
        </>
      )}
      <Opened open={open} scope={scope} onClose={() => setOpen(null)} />
    </>
  );
}

function Opened({ open, scope: { info, now }, onClose }: { open: Open | null; scope: Scope; onClose: () => void }) {
  return (
    <div className="tbl-over">
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
