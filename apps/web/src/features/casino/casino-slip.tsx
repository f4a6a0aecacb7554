import type { Game, TableInfo } from '@fairgame/casino';
import { minorToText, parseMinor } from '@fairgame/contract';
import { useEffect, useRef, useState } from 'react';
import { focusOpener, useKeepFocus } from '../../betting/keep-focus.ts';
import { useStakeButtons } from '../../betting/profile.ts';
import { useWallet } from '../../live/hooks.ts';
import { useAsksFirst, useSlip } from '../../slip/hooks.ts';
import { backToEditing, clearSlip, type Draft, edit, isBusy, press, resume, setAsksFirst } from '../../slip/slip.ts';
import { useBettingOff } from '../../slip/standing.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { formatMoney, formatWhole } from '../../ui/format.ts';
import { IconCircleCheck, IconClock, IconReceipt } from '../../ui/icons.ts';
import { announce } from '../../ui/live-region.tsx';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState, Note } from '../../ui/note.tsx';
import { Rail, useRail } from '../../ui/rail.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { SlipBox, SlipSelection, SlipSum } from '../../ui/slip-parts.tsx';
import { StakeButtons, StakeInput, Stepper } from '../../ui/stepper.tsx';
import { oddsBySelection, type Quote, quoteOf, type SelectionInfo, toOne } from './grid.ts';
import { IconHandClick } from './icons.ts';
import { keepStake, priceText, sideOf, sumsOf } from './press.ts';
import { serverNow } from './table-socket.ts';
import type { TableNow } from './use-table.ts';

/** At least this long between two rounds a player starts (player protection PP-12); the server keeps it too. */
const PACE_MS = 5000;
let lastStart = { betId: 0, at: 0 };

interface Props {
  now: TableNow;
  info: TableInfo;
  game: Game;
  rules: Parameters<typeof sumsOf>[0];
  /** What the round brought this player, once it is over. */
  netMinor: number | null;
}

/** The slip of a card table: in the rail, in its drawer, or on a phone as a sheet while there is something in it. */
export function CasinoSlip(props: Props) {
  const draft = useCardDraft(props.now);
  const { mode, setOpen } = useRail();
  const keep = useKeepFocus();
  const keepInSheet = useKeepFocus();
  const chosen = draft?.phase === 'editing' ? `${draft.marketId}.${draft.runnerId}.${draft.side}` : null;
  useEffect(() => {
    if (mode === 'drawer' && chosen !== null) setOpen(true);
  }, [mode, chosen, setOpen]);
  const side = draft?.side === 'LAY' ? 'lay' : 'back';
  return (
    <>
      <Rail slot="slip">
        <div {...keep}>
          <SlipBox side={side} count={draft ? 1 : 0}>
            {draft ? <Filled draft={draft} {...props} /> : <Empty {...props} />}
          </SlipBox>
        </div>
      </Rail>
      {mode === 'none' && (
        <Sheet open={draft !== null} onClose={clearSlip} label="Bet slip">
          {draft && (
            <div {...keepInSheet}>
              <SlipBox inline side={side}>
                <TimeLeft round={props.now.round} />
                <Filled draft={draft} compact {...props} />
              </SlipBox>
            </div>
          )}
        </Sheet>
      )}
    </>
  );
}

/** The draft, where it belongs to this table. A bet of a round that is over is let go; its stake is kept for the next press. */
function useCardDraft({ table, round }: TableNow): Draft | null {
  const draft = useSlip();
  const mine = draft?.kind === 'card' && draft.matchId === table.matchId ? draft : null;
  useEffect(resume, []);
  useEffect(() => {
    if (draft?.kind !== 'card' || isBusy()) return;
    keepStake(draft.stakeText);
    const told = draft.phase === 'done' && (round.phase === 'RESULT' || round.phase === 'VOID');
    if (draft.matchId !== table.matchId || draft.marketId !== round.betId || told) clearSlip();
  }, [draft, table.matchId, round.betId, round.phase]);
  // On leaving the table nothing of it stays in the slip; a bet on its way is followed to its end.
  useEffect(
    () => () => {
      clearCard();
    },
    [],
  );
  useEffect(() => {
    if (mine?.phase === 'done' && lastStart.betId !== mine.marketId)
      lastStart = { betId: mine.marketId, at: Date.now() };
  }, [mine?.phase, mine?.marketId]);
  return mine;
}

function clearCard(): void {
  if (!isBusy()) clearSlip();
}

function Empty({ now, netMinor }: Props) {
  const { round } = now;
  if (round.phase === 'RESULT' || round.phase === 'VOID') {
    return (
      <EmptyState icon={IconClock} title={`Round ${round.roundNo} is over`}>
        {round.phase === 'VOID' && 'There is no result: stakes are returned. '}
        {netMinor !== null && (
          // A figure, never a feast: only a round that brought more than it cost is set off (PP-14).
          <span className={netMinor > 0 ? 'own-net is-up' : 'own-net'}>
            Your result: <SignedMoney minor={netMinor} />.{' '}
          </span>
        )}
        Betting opens with the next round.
      </EmptyState>
    );
  }
  return round.phase === 'OPEN' ? (
    <EmptyState icon={IconHandClick} title="No selection">
      Press a price to start a bet.
    </EmptyState>
  ) : (
    <EmptyState icon={IconReceipt} title="No selection">
      Bets open with the next {round.window > 1 || round.phase !== 'IDLE' ? 'window' : 'round'}.
    </EmptyState>
  );
}

/** The sheet of a phone covers the table: it tells the time itself. */
function TimeLeft({ round }: { round: TableNow['round'] }) {
  const left = () => Math.max(0, Math.ceil((round.endsAt - serverNow()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts the present phase
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 500);
    return () => clearInterval(timer);
  }, [round.endsAt]);
  return (
    <p className={seconds <= 5 ? 'slip-time num is-late' : 'slip-time num'}>
      {round.phase === 'OPEN' && round.endsAt > 0 ? `Betting open, ${seconds} s` : 'Bets are closed'}
    </p>
  );
}

function Filled({ draft, compact = false, ...rest }: Props & { draft: Draft; compact?: boolean }) {
  if (draft.phase === 'done' && draft.answer) return <Placed draft={draft} goes={compact} />;
  return <Form key={`${draft.marketId}.${draft.runnerId}.${draft.side}`} draft={draft} compact={compact} {...rest} />;
}

const NO_SUMS = { profitMinor: 0, liabilityMinor: 0, upTo: false };

function Form({ draft, compact, now, info, rules, game }: Props & { draft: Draft; compact: boolean }) {
  const buttons = useStakeButtons('Casino');
  const review = useAsksFirst();
  const wallet = useWallet();
  const stakeBox = useRef<HTMLInputElement>(null);
  const busy = isBusy();
  const { selection, quote } = useOffer(draft, now, info);
  const wait = usePace(now.round.betId);

  const stake = parseMinor(draft.stakeText) ?? 0;
  const trouble = stakeTrouble(draft, stake);
  const sums = selection ? sumsOf(rules, game, selection, draft, stake) : NO_SUMS;
  const moved = quote !== null && (quote.price !== draft.price || (quote.line ?? undefined) !== draft.line);
  const off = useBettingOff();
  const closed = off ? 'Betting is off' : closedWords(now, quote);
  const short = wallet !== null && sums.liabilityMinor > wallet.balanceMinor - wallet.exposureMinor;
  const { word, letter } = sideOf(selection, draft.side);
  const amount = formatMoney(stake, stake % 100 === 0 ? 0 : 2);
  const reviewing = draft.phase === 'review';
  const ready = !closed && wait === 0 && !moved && stake > 0 && !trouble;

  useEffect(() => {
    if (
      !compact &&
      document.activeElement?.matches('.px, .ob, .zone') &&
      window.matchMedia('(pointer: fine)').matches
    ) {
      stakeBox.current?.focus({ preventScroll: true });
      stakeBox.current?.select();
    }
  }, [compact]);
  // A window that passed without a new price asks nothing of the player: the bet just goes on in the present one.
  useEffect(() => {
    if (!isBusy() && quote?.open && !moved && draft.window !== now.round.window) edit({ window: now.round.window });
  }, [quote?.open, moved, draft.window, now.round.window]);
  useEffect(() => {
    if (draft.phase === 'refused' && draft.message) announce(draft.message, 'assertive');
  }, [draft.phase, draft.message]);

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) press(stake);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !busy) {
          if (reviewing) backToEditing();
          else leave();
        }
        // A held key is one press: it must not answer its own question.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
    >
      <div className="slip__b">
        <SlipSelection
          side={draft.side === 'BACK' ? 'back' : 'lay'}
          letter={letter}
          verb={word === 'Back' ? 'Back (for)' : word === 'Lay' ? 'Lay (against)' : word}
          name={draft.line === undefined ? draft.runnerName : `${draft.runnerName}, ${draft.line}`}
          sub={`${draft.marketName}, round ${now.round.roundNo}`}
          onRemove={leave}
        />
        <div className="slip__f">
          <div>
            <div className="lbl">{draft.line === undefined ? 'Odds' : 'Rate'}</div>
            <Stepper
              label={draft.line === undefined ? 'Odds' : 'Rate'}
              value={priceText(draft.price, draft.line, selection)}
              locked
              onChange={() => undefined}
              onStep={() => undefined}
            />
          </div>
          <div>
            <div className="lbl">
              {sums.upTo && info.board === 'meter' ? 'Stake a point' : 'Stake'}
              <span>
                {formatWhole(draft.minStakeMinor)} to {formatWhole(draft.maxStakeMinor)}
              </span>
            </div>
            <StakeInput
              ref={stakeBox}
              value={draft.stakeText}
              onChange={(stakeText) => edit({ stakeText })}
              error={draft.stakeText === '' ? null : trouble}
              disabled={busy}
            />
          </div>
        </div>
        <StakeButtons
          items={buttons.map((button) => ({ label: button.label, value: button.stakeMinor }))}
          value={stake}
          disabled={busy}
          onPick={(value) => edit({ stakeText: value % 100 === 0 ? String(value / 100) : minorToText(value) })}
        />
        <SlipSum
          rows={[
            { label: profitLabel(draft, word, sums.upTo), minor: stake > 0 ? sums.profitMinor : null },
            { label: 'Liability', minor: stake > 0 ? -sums.liabilityMinor : null },
          ]}
        />
        {selection?.pays && <Pays selection={selection} />}
        {off && <Note tone="warn">{off}</Note>}
        <Messages
          draft={draft}
          selection={selection}
          quote={quote}
          moved={moved}
          window={now.round.window}
          short={short}
        />
        <div className="slip__act">
          <Button kind="sec" size="lg" disabled={busy} onClick={reviewing ? backToEditing : leave}>
            {reviewing ? 'Back' : 'Clear'}
          </Button>
          <Button
            kind={draft.side === 'BACK' ? 'back' : 'lay'}
            size="lg"
            block
            type="submit"
            busy={busy}
            // The second press of a double click does not answer the question the first one asked.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
            disabled={!busy && !ready}
          >
            {busy
              ? draft.phase === 'checking'
                ? 'Checking'
                : `Placing ${amount}`
              : (closed ??
                (wait > 0
                  ? `Next bet in ${wait} s`
                  : stake <= 0
                    ? 'Enter a stake'
                    : `${reviewing ? 'Confirm' : 'Place'} ${word.toLowerCase()} ${amount}`))}
          </Button>
        </div>
      </div>
      <div className="slip__opts">
        <Checkbox checked={review} onChange={setAsksFirst}>
          Ask before placing
        </Checkbox>
        <LinkButton kind="ghost" size="sm" to="/change-btn-value">
          Edit stakes
        </LinkButton>
      </div>
    </form>
  );
}

/** The selection of the draft and what the table offers on it now. */
function useOffer(
  draft: Draft,
  { round }: TableNow,
  info: TableInfo,
): { selection: SelectionInfo | undefined; quote: Quote | null } {
  if (draft.marketId !== round.betId) return { selection: undefined, quote: null };
  const sel = round.odds.find((row) => row.runnerId === draft.runnerId)?.sel;
  const selection = sel === undefined ? undefined : info.selections.find((one) => one.id === Number.parseInt(sel, 10));
  const rows = selection && oddsBySelection(round.odds).get(selection.id);
  return {
    selection,
    quote: quoteOf(
      rows?.filter((row) => row.runnerId === draft.runnerId),
      draft.side,
    ),
  };
}

function closedWords({ round, health }: TableNow, quote: Quote | null): string | null {
  if (health !== 'live') return 'Waiting for the table';
  if (round.phase !== 'OPEN') return 'Bets are closed';
  return quote?.open ? null : 'Not offered now';
}

/** Seconds until the player may bet in this round; 0: now. */
function usePace(betId: number): number {
  const left = () =>
    lastStart.betId === 0 || lastStart.betId === betId
      ? 0
      : Math.max(0, Math.ceil((lastStart.at + PACE_MS - Date.now()) / 1000));
  const [wait, setWait] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again for another round
  useEffect(() => {
    setWait(left());
    const timer = setInterval(() => setWait(left()), 500);
    return () => clearInterval(timer);
  }, [betId]);
  return wait;
}

function Pays({ selection }: { selection: SelectionInfo }) {
  return (
    <dl className="pays">
      {(selection.pays ?? []).map(({ when, odds }) => (
        <div key={when}>
          <dt>{when}</dt>
          <dd className="num">{toOne(odds)} : 1</dd>
        </div>
      ))}
    </dl>
  );
}

function Messages({
  draft,
  selection,
  quote,
  moved,
  window,
  short,
}: {
  draft: Draft;
  selection: SelectionInfo | undefined;
  quote: Quote | null;
  moved: boolean;
  window: number;
  short: boolean;
}) {
  if (draft.phase === 'placing') {
    return (
      <Note tone="warn" action={<span className="spin" />}>
        <b>Placing.</b> Waiting for the answer.
      </Note>
    );
  }
  if (draft.phase === 'checking') {
    return (
      <Note tone="warn" action={<span className="spin" />}>
        <b>Checking.</b> {draft.message ?? 'The answer was lost.'} We are asking what became of your bet; it is never
        placed twice.
      </Note>
    );
  }
  if (moved && quote?.open) {
    return (
      <Note
        tone="warn"
        alert
        action={
          <Button
            size="sm"
            onClick={() => edit({ price: quote.price, window, ...(quote.line === null ? {} : { line: quote.line }) })}
          >
            Accept
          </Button>
        }
      >
        <b>The price moved.</b> {priceText(draft.price, draft.line, selection)} is now{' '}
        {priceText(quote.price, quote.line ?? undefined, selection)}.
      </Note>
    );
  }
  if (draft.phase === 'refused' && draft.message) {
    return (
      <Note tone="err" alert>
        <b>Your bet was not placed.</b> {draft.message}
      </Note>
    );
  }
  if (short) return <Note tone="warn">This is more than you have free to bet.</Note>;
  return null;
}

/** How long the sheet of a phone says that a bet was placed before it gives the table back. */
const PLACED_MS = 2500;

function Placed({ draft, goes }: { draft: Draft; goes: boolean }) {
  const { bet } = draft.answer!;
  const text = `Bet placed: ${draft.runnerName}, ${formatMoney(bet.amount)}.`;
  useEffect(() => announce(text, 'polite'), [text]);
  useEffect(() => {
    if (!goes) return;
    const timer = setTimeout(leave, PLACED_MS);
    return () => clearTimeout(timer);
  }, [goes]);
  return (
    <div className="slip__b">
      <Note icon={IconCircleCheck}>
        <b>{text}</b>
      </Note>
      <div className="slip__act">
        <Button kind="pri" size="lg" block onClick={leave}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** Empties the slip; the focus goes back to the price it came from. */
function leave(): void {
  if (isBusy()) return;
  clearSlip();
  focusOpener();
}

function profitLabel(draft: Draft, word: string, upTo: boolean): string {
  if (upTo) return 'Profit, at most';
  if (word === 'Yes' || word === 'No') return `Profit if ${word}`;
  return word === 'Back' ? `Profit if ${draft.runnerName} wins` : `Profit if ${draft.runnerName} does not win`;
}

function stakeTrouble(draft: Draft, stake: number): string | null {
  if (draft.stakeText.trim() !== '' && parseMinor(draft.stakeText) === null)
    return 'Enter an amount such as 25 or 2.50.';
  if (stake > 0 && stake < draft.minStakeMinor)
    return `The smallest stake here is ${formatMoney(draft.minStakeMinor)}.`;
  if (stake > draft.maxStakeMinor) return `The largest stake here is ${formatMoney(draft.maxStakeMinor)}.`;
  return null;
}
