import type { TableCode } from '@fairgame/casino';
import { CALLS } from '@fairgame/contract';
import { lazy, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { refresh } from '../../api/refresh.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconArrowLeft, IconBook2, IconCards, IconDeviceTv, IconHistory, IconX } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { Rail, useRail } from '../../ui/rail.tsx';
import { useTitle } from '../../ui/title.ts';
import { BetBar } from './bet-bar.tsx';
import { BetPanel } from './bet-panel.tsx';
import { useBetting, useChipsOfRound } from './betting.ts';
import { ChipsPassword } from './chips-password.tsx';
import { factsOf } from './facts.ts';
import { Fairness } from './fairness.tsx';
import { Felt } from './felt.tsx';
import { type Scope, useFields } from './fields.tsx';
import { IconMaximize, IconMinimize, IconVolume, IconVolumeOff } from './icons.ts';
import { useMissed } from './missed.ts';
import { OddsGrid } from './odds-grid.tsx';
import { TablePicture } from './picture.tsx';
import { rememberPlayed } from './recent.ts';
import { useRoundBets } from './round-bets.ts';
import { RoundBetsPanel } from './round-bets-panel.tsx';
import { RulesPanel } from './rules-panel.tsx';
import { switchSound } from './sound.ts';
import { useTablePrefs } from './table-prefs.ts';
import { tableAt } from './tables.ts';
import type { Rules } from './terms.ts';
import { loadRules, useRules } from './use-rules.ts';
import { type TableNow, useTable } from './use-table.ts';
import { rememberCommit } from './verify.ts';
import '../../ui/casino.css';
import './tokens.css';
import './results.css';
import './fields.css';
import './bets.css';
import './table.css';

// The rules come beside the table's first reading, not after it.
void loadRules().catch(() => undefined);

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));
const Statistics = lazy(async () => ({ default: (await import('./statistics.tsx')).Statistics }));
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
  return <Table key={named.code} code={named.code as TableCode} name={named.name} />;
}

function Table({ code, name }: { code: TableCode; name: string }) {
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
  if (!now || !rules) return <section className="felt felt--wait" aria-label={`${name} is loading`} aria-busy="true" />;
  return <Playing rules={rules} code={code} name={name} now={now} />;
}

function Playing({ rules, code, name, now }: { rules: Rules; code: TableCode; name: string; now: TableNow }) {
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
  const [page, setPage] = useState<'rules' | 'how' | null>(null);
  // undefined: closed; null: the list; else a round.
  const [shown, setShown] = useState<string | null | undefined>(undefined);
  const [missed, dismiss] = useMissed(scope);
  useEffect(() => rememberCommit(round), [round]);
  const over = round.phase === 'RESULT' || round.phase === 'VOID';
  // A round that ends changes what the reports say, and what became of the bets in it.
  useEffect(() => {
    if (over) refresh(CALLS.casino.report, CALLS.casino.results, CALLS.casino.myRounds, CALLS.bets.list);
  }, [over]);

  const bar = mode === 'none' || full.on;
  const onFelt = useMemo(
    () => new Set(video ? [] : info.layout.sides.map(({ selection }) => selection)),
    [info, video],
  );
  const own = <RoundBetsPanel scope={scope} />;
  return (
    <>
      <h1 className="sr">{name}</h1>
      <div ref={frame} className={full.on ? 'tbl is-full' : 'tbl'} data-table={code}>
        <div className="felt-wrap">
          <Felt
            info={info}
            game={game}
            facts={facts}
            round={round}
            fields={fields}
            topTen={topTen}
            onResult={(result) => setShown(result.mid)}
            video={video ? <TablePicture url={url} name={name} onMissing={() => setPicture('missing')} /> : null}
            note={
              url && picture === 'missing'
                ? 'The picture does not come just now. The table is drawn: same cards, same results.'
                : ''
            }
            tools={
              <>
                <Link className="ib" to="/casino" aria-label="Leave the table" title="Leave the table">
                  <Icon of={IconArrowLeft} size={18} />
                </Link>
                <span className="felt__t">
                  <b className="clip">{name}</b>
                  <span className="num nowrap">Round {round.roundNo}</span>
                </span>
                <SoundSwitch />
                {url && (
                  <IconButton
                    icon={video ? IconCards : IconDeviceTv}
                    label={video ? 'Show the drawn table' : 'Show the picture'}
                    size={17}
                    onClick={() => setPicture(video ? 'off' : 'on')}
                  />
                )}
                <IconButton icon={IconHistory} label="Rounds of this table" size={17} onClick={() => setShown(null)} />
                <IconButton icon={IconBook2} label="Rules" size={17} onClick={() => setPage('rules')} />
                {document.fullscreenEnabled && (
                  <IconButton
                    icon={full.on ? IconMinimize : IconMaximize}
                    label={full.on ? 'Leave full screen' : 'Full screen'}
                    size={17}
                    onClick={full.toggle}
                  />
                )}
              </>
            }
          />
          {over && bets.netMinor !== null && <OwnResult netMinor={bets.netMinor} />}
          {/* On the cloth, so that no price under it moves. */}
          {now.health === 'late' ? (
            <div className="felt__late">
              <Note tone="warn" alert>
                <b>Waiting for the table.</b> The line to it is down; prices are held back until it is there again.
              </Note>
            </div>
          ) : (
            missed && (
              <div className="felt__late">
                <Note
                  icon={IconHistory}
                  action={
                    <span className="row g-2">
                      <Button size="sm" onClick={() => setShown(missed.mid)}>
                        See the round
                      </Button>
                      <IconButton icon={IconX} label="Close" size={16} small onClick={dismiss} />
                    </span>
                  }
                >
                  <b>
                    Round {missed.roundNo} ended: <SignedMoney minor={missed.netMinor} />
                  </b>
                </Note>
              </div>
            )
          )}
        </div>
        <div className="tbl__f">
          <OddsGrid info={info} fields={fields} onFelt={onFelt} />
        </div>
        {bar && <BetBar scope={scope} betting={betting} />}
      </div>
      {!full.on && (
        <Rail slot="slip">
          <BetPanel scope={scope} betting={betting} />
        </Rail>
      )}
      <Rail slot="bets">{own}</Rail>
      {mode === 'none' && bets.rows.length > 0 && own}
      <Suspense fallback={null}>
        <Statistics info={info} game={game} topTen={topTen} onRound={setShown} />
      </Suspense>
      <div className="two tbl-two">
        <RulesPanel info={info} onAll={() => setPage('rules')} />
        <Fairness
          code={code}
          round={round}
          last={topTen[0]}
          onLast={(result) => setShown(result.mid)}
          onHow={() => setPage('how')}
        />
      </div>
      <div className="tbl-over">
        <ChipsPassword matchId={table.matchId} />
        <Suspense fallback={null}>
          {page === 'rules' && <RulesModal info={info} onClose={() => setPage(null)} />}
          {page === 'how' && <HowModal onClose={() => setPage(null)} />}
          {shown !== undefined && (
            <History code={code} name={name} matchId={table.matchId} mid={shown} onClose={() => setShown(undefined)} />
          )}
        </Suspense>
      </div>
    </>
  );
}

function SoundSwitch() {
  const { sound } = useTablePrefs();
  return (
    <IconButton
      icon={sound ? IconVolume : IconVolumeOff}
      label="Sound of the table"
      size={17}
      aria-pressed={sound}
      onClick={() => switchSound(!sound)}
    />
  );
}

/** What the round brought, on the table. A plain figure, set off only when it brought more than it cost (PP-14). */
function OwnResult({ netMinor }: { netMinor: number }) {
  return (
    <p className={netMinor > 0 ? 'own-net own-net--bar is-up' : 'own-net own-net--bar'} role="status">
      Your result <SignedMoney minor={netMinor} />
    </p>
  );
}

function useFullScreen(frame: RefObject<HTMLElement | null>): { on: boolean; toggle: () => void } {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const listener = () => setOn(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', listener);
    return () => document.removeEventListener('fullscreenchange', listener);
  }, [frame]);
  const toggle = () => {
    const change = document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen();
    // The browser may refuse; the table stays as it is.
    change?.catch(() => undefined);
  };
  return { on, toggle };
}
