/** The last rounds; one of them opened, drawn again from its seeds, and checked in the player's own browser. */
import { Component, type ReactNode, useEffect, useState } from 'react';
import type { ProofCheck } from '../studio.ts';
import type { HistoryRow, LiveView, RoundProof } from '../wire.ts';
import { Refused } from './api.ts';
import { amount, PanelContext, type SharedBoard, type SoloBoard } from './board.ts';
import { cx } from './cx.ts';
import { Icon } from './icons.tsx';
import { Facts } from './info.tsx';
import { type Play, resultWords, signed, wagerWords } from './play.ts';
import { Sheet } from './sheet.tsx';
import actsCss from './acts.module.css';
import ownBetsCss from './own-bets.module.css';
import css from './page.module.css';
import sheetCss from './sheet.module.css';

type Asked<T> = { at: 'waits' } | { at: 'failed'; text: string } | { at: 'there'; it: T };

function useAsked<T>(ask: () => Promise<T>, what: unknown): [Asked<T>, () => void] {
  const [state, setState] = useState<Asked<T>>({ at: 'waits' });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for another thing and by hand only
  useEffect(() => {
    let gone = false;
    setState({ at: 'waits' });
    ask().then(
      (it) => gone || setState({ at: 'there', it }),
      (error: unknown) =>
        gone ||
        setState({
          at: 'failed',
          text: error instanceof Refused ? error.error.text : 'There was no answer.',
        }),
    );
    return () => {
      gone = true;
    };
  }, [what, tries]);
  return [state, () => setTries(tries + 1)];
}

export function HistorySheet(props: { play: Play; board: SoloBoard | SharedBoard; onClose: () => void }) {
  const { play } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const [rows, again] = useAsked(() => play.api.history(), null);
  return (
    <Sheet
      title={chosen === null ? 'Last rounds' : 'Round'}
      onClose={props.onClose}
      onBack={chosen === null ? undefined : () => setChosen(null)}
    >
      {chosen !== null ? (
        <OneRound play={play} board={props.board} id={chosen} />
      ) : rows.at === 'waits' ? (
        <Lines />
      ) : rows.at === 'failed' ? (
        <Failed text={rows.text} onAgain={again} />
      ) : rows.it.length === 0 ? (
        <p className={sheetCss.quiet}>No rounds yet. The last 50 stand here.</p>
      ) : (
        <ul className={ownBetsCss.rounds}>
          {rows.it.map((row) => (
            <li key={row.roundId}>
              <RoundRow row={row} onOpen={() => setChosen(row.roundId)} />
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function RoundRow({ row, onOpen }: { row: HistoryRow; onOpen: () => void }) {
  const net = row.paidMinor - row.stakeMinor;
  const at = new Date(row.at);
  return (
    <button type="button" disabled={!row.over} onClick={onOpen}>
      <time dateTime={at.toISOString()}>{at.toLocaleTimeString('en-GB')}</time>
      <span>
        {row.over ? (
          <>
            <i>Stake</i> {amount(row.stakeMinor)} <i>Paid</i> {amount(row.paidMinor)}
          </>
        ) : (
          'Still open'
        )}
      </span>
      {row.over && <b data-won={net > 0 || undefined}>{signed(net)}</b>}
    </button>
  );
}

function OneRound({ play, board, id }: { play: Play; board: SoloBoard | SharedBoard; id: string }) {
  const [proof, again] = useAsked(async () => {
    // The rules of all games come with the check; they load when the first round is opened.
    const { verifyProof } = await import('../studio.ts');
    const found = await play.api.round(id);
    return { found, check: verifyProof(found) };
  }, id);
  if (proof.at === 'waits') return <Lines />;
  if (proof.at === 'failed') return <Failed text={proof.text} onAgain={again} />;
  const { found, check } = proof.it;
  return (
    <>
      <p className="round-words">
        <b>{resultWords(found.stakeMinor, found.paidMinor)}</b> {wagerWords(found.wager)}
      </p>
      {check.problem === null && (
        <div className={cx(css.board, css.oldBoard)} inert>
          <Guard key={id}>
            <PanelContext value={ignore}>
              <Old play={play} board={board} proof={found} view={check.view} />
            </PanelContext>
          </Guard>
        </div>
      )}
      <Check check={check} proof={found} seen={play.seen.of(id)} />
      <Facts rows={factsOf(found, play.rules.kind === 'solo')} />
    </>
  );
}

function factsOf(proof: RoundProof, solo: boolean): [string, string][] {
  const rows: [string, string][] = [
    ['Hash shown before the round', proof.commit],
    ['Server seed', proof.serverSeed],
    [solo ? 'Your seed' : 'Public seed', proof.clientSeed],
  ];
  if (proof.seedOf)
    rows.push(['Public seed is made of (SHA-256 of the lines)', [proof.seedOf.base, ...proof.seedOf.words].join('\n')]);
  rows.push(['Number', String(proof.nonce)], ['Wager', JSON.stringify(proof.wager)]);
  if (proof.moves.length > 0) rows.push(['Moves', JSON.stringify(proof.moves)]);
  if (proof.cashedTimes !== null) rows.push(['Cashed out at', `${(proof.cashedTimes / 100).toFixed(2)}×`]);
  rows.push(['Round', proof.roundId]);
  return rows;
}

const ignore = () => undefined;

/** The check has been made with the drawing; it is told when it is asked for. */
function Check({ check, proof, seen }: { check: ProofCheck; proof: RoundProof; seen: string | undefined }) {
  const [told, setTold] = useState(false);
  if (!told)
    return (
      <button type="button" className={actsCss.act} onClick={() => setTold(true)}>
        Check this round
      </button>
    );
  const ok = check.ok && (seen === undefined || seen === proof.commit);
  const lines: [boolean, string][] = [
    seen === undefined
      ? [
          check.commitOk,
          'The server seed has the hash that is named for this round. This page itself has not seen it shown before.',
        ]
      : [
          check.commitOk && seen === proof.commit,
          'The server seed has the hash that stood on this page before the round.',
        ],
    ...(check.problem === null ? [] : [[false, check.problem] as [boolean, string]]),
    [check.stakeOk, `The stake is that of the wager and moves: ${amount(check.stakeMinor)}.`],
    [
      check.paidOk,
      `Played again from the seeds, the round pays ${amount(check.paidMinor)}; it paid ${amount(proof.paidMinor)}.`,
    ],
  ];
  return (
    <div className={sheetCss.check} role="status" data-ok={ok}>
      <b>{ok ? 'This round is as it was promised' : 'This round does not check'}</b>
      <ul>
        {lines.map(([ok, text]) => (
          <li key={text} data-ok={ok}>
            <Icon name={ok ? 'check' : 'close'} />
            <span>
              <span className="spoken">{ok ? 'Right: ' : 'Wrong: '}</span>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** An old round on the game's own board, without motion and out of reach. */
function Old(props: { play: Play; board: SoloBoard | SharedBoard; proof: RoundProof; view: unknown }) {
  const { play, proof, view } = props;
  const common = {
    stakeMinor: proof.stakeMinor,
    currency: play.session.currency,
    busy: true,
    motion: false,
    sound: ignore,
  };
  if (play.rules.kind === 'solo') {
    const Board = props.board as SoloBoard;
    const round = { ...proof, view, over: true, fresh: false };
    return <Board {...common} round={round as never} onOpen={ignore} onMove={ignore} onShown={ignore} />;
  }
  const Board = props.board as SharedBoard;
  const bet = { ...proof, betId: proof.roundId };
  const live: LiveView = {
    roundId: proof.roundId,
    phase: 'rests',
    now: 0,
    phaseStartedAt: 0,
    phaseEndsAt: 0,
    commit: proof.commit,
    nextCommit: '',
    nonce: proof.nonce,
    clientSeed: proof.clientSeed,
    view,
    last: [],
    bets: [bet],
    players: 1,
  };
  return <Board {...common} live={live as never} skewMs={0} onBet={ignore} onCashout={ignore} />;
}

/** A board that cannot draw an old round does not take the figures with it. */
class Guard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? <p className={sheetCss.quiet}>This round has no picture.</p> : this.props.children;
  }
}

function Lines() {
  return (
    <div className={css.lines} aria-busy="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

function Failed({ text, onAgain }: { text: string; onAgain: () => void }) {
  return (
    <div className={css.failed} role="alert">
      <p>{text}</p>
      <button type="button" className={actsCss.act} onClick={onAgain}>
        Try again
      </button>
    </div>
  );
}
