import type { TableCode, TableInfo } from '@fairgame/casino';
import { CALLS, type CardResult } from '@fairgame/contract';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useCall } from '../../api/queries.ts';
import { refresh } from '../../api/refresh.ts';
import { sideOf } from '../../betting/positions.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatWhole } from '../../ui/format.ts';
import { IconBook2, IconCards, IconDeviceTv, IconHistory } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Rail, useRail } from '../../ui/rail.tsx';
import { BetGroup, BetRow } from '../../ui/slip-parts.tsx';
import { useTitle } from '../../ui/title.ts';
import { CasinoSlip } from './casino-slip.tsx';
import { factsOf } from './facts.ts';
import { Fairness } from './fairness.tsx';
import { Felt } from './felt.tsx';
import { IconMaximize } from './icons.ts';
import { OddsGrid } from './odds-grid.tsx';
import { TablePicture } from './picture.tsx';
import { priceText, sideOf as words } from './press.ts';
import { rememberPlayed } from './recent.ts';
import { type RoundBets, useRoundBets } from './round-bets.ts';
import { RulesPanel } from './rules-panel.tsx';
import { tableAt } from './tables.ts';
import { loadRules, useRules } from './use-rules.ts';
import { type TableNow, useTable } from './use-table.ts';
import { rememberCommit } from './verify.ts';
import '../../ui/casino.css';
import './table.css';

// The rules come beside the table's first reading, not after it.
void loadRules().catch(() => undefined);

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));
const RoadMaps = lazy(async () => ({ default: (await import('./road-maps.tsx')).RoadMaps }));
const RulesModal = lazy(async () => ({ default: (await import('./rules-modal.tsx')).RulesModal }));
const HowModal = lazy(async () => ({ default: (await import('./rules-modal.tsx')).HowModal }));

/** The one screen of all card tables: the route says which. */
export function Screen() {
  const { pathname } = useLocation();
  const named = tableAt(pathname);
  useTitle(named?.name ?? 'Casino');
  if (!named) {
    return (
      <section className="panel">
        <EmptyState icon={IconCards} title="This table does not exist">
          The lobby has all tables.
        </EmptyState>
      </section>
    );
  }
  return <Table key={named.code} code={named.code as TableCode} name={named.name} category={named.category} />;
}

function Table({ code, name, category }: { code: TableCode; name: string; category: string }) {
  const { now, error, retry } = useTable(code);
  const { rules, failed, retry: again } = useRules();
  useEffect(() => rememberPlayed(code), [code]);
  if (error) {
    return (
      <ErrorNote title="The table did not load." onRetry={retry}>
        {error.message} Nothing was placed.
      </ErrorNote>
    );
  }
  if (failed) {
    return (
      <ErrorNote title="The rules of the table did not load." onRetry={again}>
        Nothing was placed.
      </ErrorNote>
    );
  }
  if (!now || !rules) return <Loading name={name} />;
  return <Playing rules={rules} code={code} name={name} category={category} now={now} />;
}

function Playing({
  rules: known,
  code,
  name,
  category,
  now,
}: {
  rules: typeof import('./rules.ts');
  code: TableCode;
  name: string;
  category: string;
  now: TableNow;
}) {
  const { table, round, topTen } = now;
  const { describe, gameOf } = known;
  const game = gameOf(code);
  // The display name is the client's own: the same words as on the tile.
  const info = useMemo(() => ({ ...describe(code), name }), [describe, code, name]);
  const facts = useMemo(() => factsOf(game, round), [game, round]);
  const bets = useRoundBets(table.matchId, round.betId);
  const { mode } = useRail();
  const { url, down = false } = table.videoInfo;
  const [picture, setPicture] = useState<'on' | 'off' | 'missing'>(down ? 'missing' : 'on');
  const video = picture === 'on';
  const [rules, setRules] = useState(false);
  const [how, setHow] = useState(false);
  // undefined: closed; null: the list; else a round.
  const [shown, setShown] = useState<string | null | undefined>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => rememberCommit(round), [round]);
  const over = round.phase === 'RESULT' || round.phase === 'VOID';
  // A round that ends changes what the reports say.
  useEffect(() => {
    if (over) refresh(CALLS.casino.report, CALLS.casino.results);
  }, [over]);

  const roads = category === 'baccarat' || category === 'dragonTiger';
  const own = <RoundBetsPanel bets={bets} roundNo={round.roundNo} info={info} odds={round.odds} />;
  return (
    <>
      <h1 className="sr">{name}</h1>
      <div ref={frame} className="felt-wrap">
        <Felt
          info={info}
          game={game}
          category={category}
          facts={facts}
          round={round}
          topTen={topTen}
          onResult={(result) => setShown(result.mid)}
          video={url && video ? <TablePicture url={url} name={name} onMissing={() => setPicture('missing')} /> : null}
          note={
            url && picture === 'missing'
              ? 'The picture does not come just now. The table is drawn: same cards, same results.'
              : ''
          }
          tools={
            <>
              {url && (
                <IconButton
                  icon={video ? IconCards : IconDeviceTv}
                  label={video ? 'Show the drawn table' : 'Show the picture'}
                  size={17}
                  onClick={() => setPicture(video ? 'off' : 'on')}
                />
              )}
              <IconButton icon={IconHistory} label="Rounds of this table" size={17} onClick={() => setShown(null)} />
              <IconButton icon={IconBook2} label="Rules" size={17} onClick={() => setRules(true)} />
              {document.fullscreenEnabled && (
                <IconButton
                  icon={IconMaximize}
                  label="Full screen"
                  size={17}
                  onClick={() => void toggleFull(frame.current)}
                />
              )}
            </>
          }
        />
        {mode === 'none' && over && bets.netMinor !== null && <OwnResult netMinor={bets.netMinor} />}
        {/* On the cloth, so that no price under it moves. */}
        {now.health === 'late' && (
          <div className="felt__late">
            <Note tone="warn" alert>
              <b>Waiting for the table.</b> The line to it is down; prices are held back until it is there again.
            </Note>
          </div>
        )}
      </div>
      <div className="tbl-over">
        <CasinoSlip now={now} info={info} game={game} rules={known} netMinor={over ? bets.netMinor : null} />
      </div>
      <OddsGrid now={now} info={info} mine={bets.mine} />
      <Rail slot="bets">{own}</Rail>
      {mode === 'none' && bets.rows.length > 0 && own}
      {roads && <Roads code={code} category={category} topTen={topTen} names={sideNames(info)} />}
      <div className="two tbl-two">
        <RulesPanel info={info} onAll={() => setRules(true)} />
        <Fairness
          code={code}
          round={round}
          last={topTen[0]}
          onLast={(result) => setShown(result.mid)}
          onHow={() => setHow(true)}
        />
      </div>
      <div className="tbl-over">
        <Suspense fallback={null}>
          {rules && <RulesModal info={info} onClose={() => setRules(false)} />}
          {how && <HowModal onClose={() => setHow(false)} />}
          {shown !== undefined && (
            <History
              code={code}
              name={name}
              category={category}
              matchId={table.matchId}
              mid={shown}
              onClose={() => setShown(undefined)}
            />
          )}
        </Suspense>
      </div>
    </>
  );
}

/**
 * A phone has no slip panel to say it in; it lies on the table, so that no price moves. A plain figure, set off only when
 * the round brought more than it cost.
 */
function OwnResult({ netMinor }: { netMinor: number }) {
  return (
    <p className={netMinor > 0 ? 'own-net own-net--bar is-up' : 'own-net own-net--bar'} role="status">
      Your result <SignedMoney minor={netMinor} />
    </p>
  );
}

/** The long history of a table with roads: read once, then lengthened by what the socket brings. */
function Roads({
  code,
  category,
  topTen,
  names,
}: {
  code: string;
  category: string;
  topTen: readonly CardResult[];
  names: readonly [readonly [string, string], readonly [string, string]];
}) {
  const { data } = useCall(
    CALLS.casino.report,
    { params: { type: code }, query: { page: '1', limit: '100' } },
    { keep: true },
  );
  const results = useMemo(() => {
    const known = data?.rows ?? [];
    const ids = new Set(known.map((one) => one.mid));
    return [...topTen.filter((one) => !ids.has(one.mid)), ...known];
  }, [data, topTen]);
  return (
    <Suspense fallback={null}>
      <RoadMaps code={code} category={category} results={results} names={names} />
    </Suspense>
  );
}

function sideNames(info: { seats: ReadonlyArray<{ id: string; name: string }> }) {
  const [a, b] = info.seats;
  return [
    [a?.id ?? 'A', a?.name ?? ''],
    [b?.id ?? 'B', b?.name ?? ''],
  ] as const;
}

/** The player's bets of the round on the table. */
function RoundBetsPanel({
  bets,
  roundNo,
  info,
  odds,
}: {
  bets: RoundBets;
  roundNo: number;
  info: TableInfo;
  odds: TableNow['round']['odds'];
}) {
  const selectionOf = (runnerId: number) => {
    // A choice of ranks has a runner of its own above the thousands (server's numbering of choices).
    const sel = odds.find((row) => row.runnerId === runnerId || row.runnerId === runnerId % 1000)?.sel;
    return sel === undefined ? undefined : info.selections.find((one) => one.id === Number.parseInt(sel, 10));
  };
  return (
    <Panel title="My bets, this round" count={bets.rows.length} small>
      {bets.rows.length === 0 ? (
        <p className="bets__none">No bets in round {roundNo}.</p>
      ) : (
        <BetGroup
          title="Matched"
          end={
            <span className="t3">
              {bets.netMinor === null ? `Round ${roundNo}` : <SignedMoney minor={bets.netMinor} />}
            </span>
          }
        >
          {bets.rows.map((bet) => {
            const side = sideOf(bet);
            const selection = selectionOf(bet.runnerId);
            return (
              <BetRow
                key={bet.id}
                side={side === 'BACK' ? 'back' : 'lay'}
                letter={words(selection, side).letter}
                name={bet.teamName}
                sub={
                  bet.line === null
                    ? (selection?.group ?? bet.bettingName)
                    : `${words(selection, side).word} ${bet.line}`
                }
                odds={priceText(bet.odds, bet.line, selection)}
                stake={formatWhole(bet.amount)}
                state="matched"
              />
            );
          })}
        </BetGroup>
      )}
    </Panel>
  );
}

function Loading({ name }: { name: string }) {
  return (
    <section className="ptable felt felt--wait" aria-label={`${name} is loading`} aria-busy="true">
      <div className="pt__bar">
        <b>{name}</b>
      </div>
    </section>
  );
}

async function toggleFull(element: HTMLElement | null): Promise<void> {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await element?.requestFullscreen();
  } catch {
    // The browser may refuse; the table stays as it is.
  }
}
