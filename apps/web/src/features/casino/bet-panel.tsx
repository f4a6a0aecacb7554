import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { formatMoney, formatStake } from '../../platform/format.ts';
import { SideChip } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { IconCircleCheck, IconClock, IconX } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Note } from '../../ui/note.tsx';
import { CheckingNote, PlaceRow, SlipOptions, SlipOutcome } from '../../ui/slip-frame.tsx';
import type { Betting, Row } from './betting.ts';
import { type Laid, takeOff } from './chips.ts';
import type { Scope } from './fields.tsx';
import { IconArrowBackUp, IconRepeat, IconTrash } from './icons.ts';
import { OtherChip, Rack } from './rack.tsx';
import { setTablePrefs, useTablePrefs } from './table-prefs.ts';
import { type Priced, priceText, sideOf, sumsOf } from './terms.ts';
import panelCss from '../../ui/panel.module.css';
import css from './bet-bar.module.css';

/** Rack, bets that lie on the table, what they risk, and the button that places them. */
export function BetPanel({ scope, betting }: { scope: Scope; betting: Betting }) {
  const { now } = scope;
  const { rows, chips } = betting;
  const { asks, atOnce } = useTablePrefs();
  return (
    <section className={cx(panelCss.panel, 'bp')} aria-label={t`Bet slip`}>
      <div className={cx(panelCss.head, panelCss.headSmall)}>
        <h2>{t`Chips`}</h2>
        {rows.length > 0 && (
          <span className="num t2">{plural({ count: rows.length }, { one: '# bet', other: '# bets' })}</span>
        )}
        <span className="grow" />
        {rows.length > 0 && <b className="num">{formatMoney(betting.stakeMinor)}</b>}
      </div>
      <div className={css.panelBody}>
        <Rack now={now} />
        <OtherChip now={now} />
        {rows.length > 0 && (
          <ul className={css.list} aria-label={t`Bets on the table`}>
            {rows.map((row) => (
              <LaidRow key={row.bet.id} row={row} matchId={now.table.matchId} />
            ))}
          </ul>
        )}
        <Sums betting={betting} />
        <Said scope={scope} betting={betting} />
        {chips.sent.some(({ fate }) => fate === 'checking') && <CheckingNote />}
        <Tools betting={betting} />
        <MainButton betting={betting} />
      </div>
      <SlipOptions asks={asks} onAsks={(on) => setTablePrefs({ asks: on })}>
        <Checkbox checked={atOnce} onChange={(on) => setTablePrefs({ atOnce: on })}>
          {t`A press places at once`}
        </Checkbox>
        <LinkButton kind="ghost" size="sm" to="/change-btn-value">
          {t`Edit stakes`}
        </LinkButton>
      </SlipOptions>
    </section>
  );
}

function LaidRow({ row: { bet, selection, sums, moved, gone }, matchId }: { row: Row; matchId: number }) {
  const { word, letter } = sideOf(selection, bet.side);
  const offer = `${word} ${lineAndPrice(bet, selection)}`;
  const profit = formatMoney(sums.profitMinor);
  return (
    <li className={cx(css.line, (moved || gone) && 'is-moved')}>
      <SideChip side={bet.side === 'BACK' ? 'back' : 'lay'} letter={letter} />
      <span className="grow">
        <b className="clip">{bet.name}</b>
        <small className="clip">
          {moved
            ? `${offer} \u2192 ${lineAndPrice(moved, selection)}`
            : gone
              ? t`${offer}, not offered now`
              : sums.upTo
                ? t`${offer}, wins up to ${profit}`
                : t`${offer}, wins ${profit}`}
        </small>
      </span>
      <span className="num">{formatStake(bet.stakeMinor)}</span>
      <IconButton
        icon={IconX}
        label={t`Take off ${{ name: bet.name }}`}
        size={15}
        small
        onClick={() => takeOff(matchId, bet.id)}
      />
    </li>
  );
}

/** "1.98", or "21 at 95" where the bet has a line. */
function lineAndPrice(bet: Pick<Priced, 'price' | 'line'>, selection: Row['selection'] | undefined): string {
  const price = priceText(bet, selection);
  return bet.line === null ? price : t`${{ line: bet.line }} at ${price}`;
}

/** What all of it costs at most; of a single bet also what it brings. */
function Sums({ betting: { rows, riskMinor, short } }: { betting: Betting }) {
  const [only] = rows;
  if (!only) return null;
  return (
    <>
      <SlipOutcome
        liabilityMinor={riskMinor}
        {...(rows.length === 1 && { profitMinor: only.sums.profitMinor })}
        profitLabel={only.sums.upTo ? t`Profit, at most` : t`Profit`}
      />
      {short && <Note tone="warn">{t`This is more than you have free to bet.`}</Note>}
    </>
  );
}

/** What happened last: the bets that were taken in full words, or why one was not. */
export function Said({ scope, betting }: { scope: Scope; betting: Betting }) {
  const { said } = betting.chips;
  if (!said) return null;
  return (
    <Note {...(said.tone === 'ok' ? {} : { tone: said.tone })} icon={said.tone === 'ok' ? IconCircleCheck : IconClock}>
      {saidWords(scope, said)}
    </Note>
  );
}

export function saidWords(
  { info, game, rules }: Scope,
  { text, placed }: NonNullable<Betting['chips']['said']>,
): ReactNode {
  const [bet] = placed;
  if (!bet) return text;
  const total = placed.reduce((sum, one) => sum + one.stakeMinor, 0);
  if (placed.length > 1) {
    const stakes = formatMoney(total);
    return (
      <>
        <Trans>
          <b>
            <Plural value={placed.length} one="# bet placed" other="# bets placed" />
          </b>
          , stakes {stakes}.
        </Trans>{' '}
        {text}
      </>
    );
  }
  const selection = info.selections.find(({ id }) => id === bet.selectionId);
  const sums = selection && sumsOf(rules, game, selection, bet, bet.stakeMinor);
  return (
    <>
      <PlacedWords bet={bet} selection={selection} sums={sums} /> {text}
    </>
  );
}

function PlacedWords({
  bet,
  selection,
  sums,
}: {
  bet: Laid;
  selection: Row['selection'] | undefined;
  sums: Row['sums'] | undefined;
}) {
  const { name } = bet;
  const side = sideOf(selection, bet.side).word.toLowerCase();
  const price = lineAndPrice(bet, selection);
  const stake = formatMoney(bet.stakeMinor);
  if (!sums) {
    return (
      <Trans>
        <b>
          Bet placed: {side} {name} at {price}
        </b>
        , stake {stake}.
      </Trans>
    );
  }
  const liability = formatMoney(sums.liabilityMinor);
  const profit = formatMoney(sums.profitMinor);
  return sums.upTo ? (
    <Trans>
      <b>
        Bet placed: {side} {name} at {price}
      </b>
      , stake {stake}, liability {liability}, wins up to {profit}.
    </Trans>
  ) : (
    <Trans>
      <b>
        Bet placed: {side} {name} at {price}
      </b>
      , stake {stake}, liability {liability}, wins {profit}.
    </Trans>
  );
}

export function Tools({ betting }: { betting: Betting }) {
  const none = betting.rows.length === 0;
  return (
    <div className={css.sum}>
      <Button kind="sec" icon={IconArrowBackUp} disabled={!betting.canUndo} onClick={betting.undo}>
        {t`Undo`}
      </Button>
      {betting.canRepeat ? (
        <Button kind="sec" icon={IconRepeat} onClick={betting.repeat}>
          {t`Repeat`}
        </Button>
      ) : (
        <Button kind="sec" disabled={none} onClick={betting.double} aria-label={t`Double all chips`}>
          2 ×
        </Button>
      )}
      <Button kind="sec" icon={IconTrash} disabled={none} onClick={betting.clear}>
        {t`Clear`}
      </Button>
    </div>
  );
}

export function MainButton({ betting }: { betting: Betting }) {
  const { main, busy, chips } = betting;
  return (
    <PlaceRow
      className={css.go}
      back={chips.review ? { words: t`Back`, press: betting.back } : null}
      kind="pri"
      busy={busy}
      off={main.press === null}
      onPress={() => main.press?.()}
    >
      {main.words}
    </PlaceRow>
  );
}
