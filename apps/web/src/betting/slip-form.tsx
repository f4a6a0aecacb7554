import { minorToText, moveTicks, parseMinor, parseOdds, tickInFavour } from '@fairgame/contract';
import { useEffect, useRef, useState } from 'react';
import { useBroken, useLevel, useMarket, useRunner, useStaleWords, useWallet } from '../live/hooks.ts';
import { useAsksFirst, usePriceRule, useSlip } from '../slip/hooks.ts';
import {
  backToEditing,
  clearSlip,
  type Draft,
  edit,
  isBusy,
  type PriceRule,
  press,
  setAsksFirst,
  setPriceRule,
} from '../slip/slip.ts';
import { useBettingOff } from '../slip/standing.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { formatMoney, formatWhole } from '../ui/format.ts';
import { announce } from '../ui/live-region.tsx';
import { Note } from '../ui/note.tsx';
import { SlipSelection, SlipSum } from '../ui/slip-parts.tsx';
import { StakeButtons, StakeInput, Stepper } from '../ui/stepper.tsx';
import { focusOpener } from './keep-focus.ts';
import { kindOf, lineOf, priceText, sideLetter, sideWord, veilOf } from './kinds.ts';
import { selectionPrice } from './live-price.tsx';
import { usePositions } from './positions.ts';
import { useStakeButtons } from './profile.ts';
import { SlipResult } from './slip-result.tsx';
import { outcomeOf, positionAfter } from './sums.ts';

/**
 * The form of the bet in the slip; `compact` is the one under a tapped row on a phone. It stays mounted from one selection to
 * the next: a press on a price changes a few texts of it and is drawn at once.
 */
export function SlipForm({ compact = false, onEditStakes }: { compact?: boolean; onEditStakes?: () => void }) {
  const draft = useSlip();
  if (!draft) return null;
  return draft.phase === 'done' && draft.answer ? (
    <SlipResult draft={draft} />
  ) : (
    <Form draft={draft} compact={compact} onEditStakes={onEditStakes} />
  );
}

function Form({
  draft,
  compact,
  onEditStakes,
}: {
  draft: Draft;
  compact: boolean;
  onEditStakes?: (() => void) | undefined;
}) {
  const look = kindOf(draft.kind);
  const market = useMarket(draft.marketId);
  const broken = useBroken(draft.marketId);
  const stale = useStaleWords();
  const position = usePositions(draft.matchId).get(draft.marketId);
  const wallet = useWallet();
  const buttons = useStakeButtons('Match');
  const review = useAsksFirst();
  const stakeBox = useRef<HTMLInputElement>(null);
  const busy = isBusy();

  const stake = parseMinor(draft.stakeText) ?? 0;
  const trouble = stakeTrouble(draft, stake);
  const { profitMinor, liabilityMinor } = outcomeOf(draft, stake);
  const after = positionAfter(market, position, draft, stake);
  const runner = market?.runners.find((one) => one.id === draft.runnerId);
  const veil = market ? veilOf(market, runner) : null;
  const off = useBettingOff();
  const closed = off
    ? 'Betting is off'
    : broken
      ? stale
      : veil === 'suspended'
        ? 'Market suspended'
        : veil === 'ball'
          ? 'Ball running'
          : veil === 'closed'
            ? 'Market closed'
            : veil === 'removed'
              ? 'Removed'
              : null;
  const short =
    wallet &&
    liabilityMinor > 0 &&
    draft.side === 'BACK' &&
    !position &&
    liabilityMinor > wallet.balanceMinor - wallet.exposureMinor;
  const word = sideWord(draft.kind, draft.side);
  const amount = formatMoney(stake, stake % 100 === 0 ? 0 : 2);

  // A pressed price takes the keyboard to the stake, where a keyboard was used to choose it; touch keeps its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again for each press
  useEffect(() => {
    if (!compact && document.activeElement?.classList.contains('px') && window.matchMedia('(pointer: fine)').matches) {
      stakeBox.current?.focus({ preventScroll: true });
      // A stake carried over from the last price is typed over, never typed on.
      stakeBox.current?.select();
    }
  }, [compact, draft.pressed]);
  useEffect(() => {
    if (draft.phase === 'refused' && draft.message) announce(draft.message, 'assertive');
  }, [draft.phase, draft.message]);

  const go = () => {
    if (!trouble && !closed && stake > 0) press(stake);
  };
  const reviewing = draft.phase === 'review';
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        go();
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
          letter={sideLetter(draft.kind, draft.side)}
          verb={look.yesNo ? word : draft.side === 'BACK' ? 'Back (for)' : 'Lay (against)'}
          name={look.line && draft.line !== undefined ? `${draft.runnerName}, ${draft.line}` : draft.runnerName}
          sub={`${draft.marketName}, ${draft.eventName}`}
          onRemove={leave}
        />
        <div className="slip__f">
          <div>
            <div className="lbl">{look.rate ? (look.line ? 'Rate' : 'Price per 100') : 'Odds'}</div>
            <PriceBox key={draft.pressed} draft={draft} />
          </div>
          <div>
            <div className="lbl">
              Stake
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
            { label: profitLabel(draft), minor: stake > 0 ? profitMinor : null },
            { label: 'Liability', minor: stake > 0 ? -liabilityMinor : null },
          ]}
        />
        {after && stake > 0 && !compact && (
          <div>
            <div className="lbl">If matched, your position becomes</div>
            <SlipSum rows={afterRows(draft, market?.runners ?? [], after)} />
          </div>
        )}
        <Choices draft={draft} busy={busy} />
        {off && <Note tone="warn">{off}</Note>}
        <Messages draft={draft} stake={stake} short={Boolean(short)} />
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
            disabled={!busy && (Boolean(closed) || stake <= 0 || Boolean(trouble))}
          >
            {busy
              ? draft.phase === 'checking'
                ? 'Checking'
                : `Placing ${amount}`
              : (closed ??
                (stake <= 0
                  ? 'Enter a stake'
                  : reviewing
                    ? `Confirm ${word.toLowerCase()} ${amount}`
                    : `Place ${word.toLowerCase()} ${amount}`))}
          </Button>
        </div>
      </div>
      <div className="slip__opts">
        <Checkbox checked={review} onChange={setAsksFirst}>
          Ask before placing
        </Checkbox>
        {onEditStakes && (
          <Button kind="ghost" size="sm" onClick={onEditStakes}>
            Edit stakes
          </Button>
        )}
      </div>
    </form>
  );
}

/** Empties the slip; the focus goes back to the price it came from. */
function leave(): void {
  if (isBusy()) return;
  clearSlip();
  focusOpener();
}

/** Odds with tick steps on the ladder; a house price stands as it is. */
function PriceBox({ draft }: { draft: Draft }) {
  const look = kindOf(draft.kind);
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? priceText(draft.kind, draft.price);
  const typed = text === null ? draft.price : parseOdds(text);
  const valid = look.ladder ? typed !== null && typed >= 101 && typed <= 100_000 : true;
  // A typed price goes to the tick in the player's favour, and the box shows what will be sent.
  const take = () => {
    if (text !== null && typed !== null && valid) edit({ price: tickInFavour(typed, draft.side) });
    setText(null);
  };
  return (
    <Stepper
      label={look.rate ? 'Rate' : 'Odds'}
      value={shown}
      locked={!look.ladder || isBusy()}
      invalid={!valid}
      onChange={setText}
      onBlur={take}
      onEnter={(event) => {
        if (!valid) event.preventDefault();
        else take();
      }}
      onStep={(ticks) => {
        setText(null);
        edit({ price: moveTicks(typed !== null && valid ? tickInFavour(typed, draft.side) : draft.price, ticks) });
      }}
    />
  );
}

function Choices({ draft, busy }: { draft: Draft; busy: boolean }) {
  const rule = usePriceRule();
  if (draft.kind !== 'book') {
    return (
      <label className="slip__rule">
        <span>If the price moves</span>
        <select
          className="pgn__s"
          value={rule}
          disabled={busy}
          onChange={(event) => setPriceRule(event.target.value as PriceRule)}
        >
          <option value="ask">Ask me</option>
          <option value="better">Take a better price</option>
          <option value="any">Take any price</option>
        </select>
      </label>
    );
  }
  return (
    <div className="slip__keep">
      <Checkbox
        checked={draft.persistence === 'PERSIST'}
        onChange={(on) => edit({ persistence: on ? 'PERSIST' : 'LAPSE' })}
      >
        Keep in-play
      </Checkbox>
      <Checkbox checked={draft.fillOrKill} onChange={(fillOrKill) => edit({ fillOrKill })}>
        Fill or kill
      </Checkbox>
    </div>
  );
}

/** What stands between the player and the bet: moved price, refusal, waiting. */
function Messages({ draft, stake, short }: { draft: Draft; stake: number; short: boolean }) {
  const market = useMarket(draft.marketId);
  const runner = useRunner(draft.marketId, draft.runnerId);
  const level = useLevel(
    draft.marketId,
    draft.runnerId,
    draft.side === 'BACK' ? 'back' : 'lay',
    (draft.box ?? 0) as 0 | 1 | 2,
  );
  const line = lineOf(draft.kind, runner, draft.side);
  // An order on the book may ask for any price; a house quote is taken as it stands or not at all.
  const moved =
    draft.kind !== 'book' &&
    level !== null &&
    (level[0] !== draft.price || (line !== undefined && line !== draft.line));
  if (draft.phase === 'placing') {
    return (
      <Note tone="warn" action={<span className="spin" />}>
        <b>Placing.</b>{' '}
        {draft.betDelayMs > 0 ? `In-play bets wait ${draft.betDelayMs / 1000} seconds.` : 'Waiting for the answer.'}
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
  const target =
    draft.movedTo !== null ? { price: draft.movedTo, line } : moved && level ? { price: level[0], line } : null;
  if (target && draft.phase !== 'done') {
    const next = outcomeOf(
      { ...draft, price: target.price, ...(target.line === undefined ? {} : { line: target.line }) },
      stake,
    );
    return (
      <Note
        tone="warn"
        action={
          <Button
            size="sm"
            onClick={() =>
              edit({
                price: target.price,
                ...(target.line === undefined ? {} : { line: target.line }),
                ...(market ? { marketVersion: market.version } : {}),
              })
            }
          >
            Accept
          </Button>
        }
      >
        <b>
          {kindOf(draft.kind).rate ? 'Price' : 'Odds'} moved from {selectionPrice(draft)} to{' '}
          {selectionPrice({ kind: draft.kind, price: target.price, line: target.line ?? null })}.
        </b>
        {stake > 0 && ` Profit is now +${formatMoney(next.profitMinor)}.`}
      </Note>
    );
  }
  if (draft.phase === 'refused' && draft.message) {
    return (
      <Note tone="err" alert>
        <b>{draft.message}</b> We keep your stake here.
      </Note>
    );
  }
  if (short) {
    return (
      <Note tone="err">
        <b>Not enough balance.</b> This bet needs {formatMoney(stake)}.
      </Note>
    );
  }
  return null;
}

function stakeTrouble(draft: Draft, stakeMinor: number): string | null {
  if (draft.stakeText.trim() === '') return null;
  if (parseMinor(draft.stakeText) === null) return 'Enter an amount such as 25 or 12.50.';
  if (stakeMinor < draft.minStakeMinor) return `The smallest stake here is ${formatMoney(draft.minStakeMinor)}.`;
  if (stakeMinor > draft.maxStakeMinor) return `The largest stake here is ${formatMoney(draft.maxStakeMinor)}.`;
  return null;
}

function profitLabel(draft: Draft): string {
  if (kindOf(draft.kind).yesNo) return `Profit if ${sideWord(draft.kind, draft.side)}`;
  return draft.side === 'BACK' ? `Profit if ${draft.runnerName} wins` : `Profit if ${draft.runnerName} does not win`;
}

/** In a big field the others are one line: they all stand alike but for the player's other bets. */
function afterRows(
  draft: Draft,
  runners: ReadonlyArray<{ id: number; name: string; status: string }>,
  after: Map<number, { next: number | null }>,
): Array<{ label: string; minor: number | null }> {
  const active = runners.filter((runner) => runner.status !== 'REMOVED');
  if (active.length <= 4)
    return active.map((runner) => ({ label: runner.name, minor: after.get(runner.id)?.next ?? null }));
  const others = active
    .filter((runner) => runner.id !== draft.runnerId)
    .map((runner) => after.get(runner.id)?.next ?? 0);
  return [
    { label: draft.runnerName, minor: after.get(draft.runnerId)?.next ?? null },
    { label: 'Worst of the others', minor: Math.min(...others) },
  ];
}
