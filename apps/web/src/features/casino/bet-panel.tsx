import type { ReactNode } from 'react';
import { formatMoney } from '../../platform/format.ts';
import { SideChip } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconCircleCheck, IconClock, IconX } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Note } from '../../ui/note.tsx';
import { CheckingNote, PlaceRow, SlipOptions } from '../../ui/slip-frame.tsx';
import { SlipSum } from '../../ui/slip-parts.tsx';
import { stakeText } from './amounts.ts';
import type { Betting, Row } from './betting.ts';
import { takeOff } from './chips.ts';
import type { Scope } from './fields.tsx';
import { IconArrowBackUp, IconRepeat, IconTrash } from './icons.ts';
import { OtherChip, Rack } from './rack.tsx';
import { setTablePrefs, useTablePrefs } from './table-prefs.ts';
import { priceText, sideOf, sumsOf } from './terms.ts';

/** Rack, bets that lie on the table, what they risk, and the button that places them. */
export function BetPanel({ scope, betting }: { scope: Scope; betting: Betting }) {
  const { now } = scope;
  const { rows, chips } = betting;
  const { asks, atOnce } = useTablePrefs();
  return (
    <section className="panel bp" aria-label="Bet slip">
      <div className="panel__h panel__h--sm">
        <h2>Chips</h2>
        {rows.length > 0 && <span className="num t2">{rows.length === 1 ? '1 bet' : `${rows.length} bets`}</span>}
        <span className="grow" />
        {rows.length > 0 && <b className="num">{formatMoney(betting.stakeMinor)}</b>}
      </div>
      <div className="bp__b">
        <Rack now={now} />
        <OtherChip now={now} />
        {rows.length > 0 && (
          <ul className="bp__l" aria-label="Bets on the table">
            {rows.map((row) => (
              <LaidRow key={row.bet.id} row={row} matchId={now.table.matchId} />
            ))}
          </ul>
        )}
        <Sums scope={scope} betting={betting} />
        <Said scope={scope} betting={betting} />
        {chips.sent.some(({ fate }) => fate === 'checking') && <CheckingNote />}
        <Tools betting={betting} />
        <MainButton betting={betting} />
      </div>
      <SlipOptions asks={asks} onAsks={(on) => setTablePrefs({ asks: on })}>
        <Checkbox checked={atOnce} onChange={(on) => setTablePrefs({ atOnce: on })}>
          A press places at once
        </Checkbox>
        <LinkButton kind="ghost" size="sm" to="/change-btn-value">
          Edit stakes
        </LinkButton>
      </SlipOptions>
    </section>
  );
}

function LaidRow({ row: { bet, selection, sums, moved, gone }, matchId }: { row: Row; matchId: number }) {
  const { word, letter } = sideOf(selection, bet.side);
  const price = `${bet.line === null ? '' : `${bet.line} at `}${priceText(bet, selection)}`;
  return (
    <li className={moved || gone ? 'bp__r is-moved' : 'bp__r'}>
      <SideChip side={bet.side === 'BACK' ? 'back' : 'lay'} letter={letter} />
      <span className="grow">
        <b className="clip">{bet.name}</b>
        <small className="clip">
          {word} {price}
          {moved && ` \u2192 ${moved.line === null ? '' : `${moved.line} at `}${priceText(moved, selection)}`}
          {gone && ', not offered now'}
          {!moved && !gone && `, wins ${sums.upTo ? 'up to ' : ''}${formatMoney(sums.profitMinor)}`}
        </small>
      </span>
      <span className="num">{stakeText(bet.stakeMinor)}</span>
      <IconButton
        icon={IconX}
        label={`Take off ${bet.name}`}
        size={15}
        small
        onClick={() => takeOff(matchId, bet.id)}
      />
    </li>
  );
}

/** What all of it costs at most; of a single bet also what it brings. */
function Sums({ betting: { rows, riskMinor, short } }: { scope: Scope; betting: Betting }) {
  const [only] = rows;
  if (!only) return null;
  return (
    <>
      <SlipSum
        rows={[
          ...(rows.length === 1
            ? [{ label: only.sums.upTo ? 'Profit, at most' : 'Profit', minor: only.sums.profitMinor }]
            : []),
          { label: 'Liability', minor: -riskMinor },
        ]}
      />
      {short && <Note tone="warn">This is more than you have free to bet.</Note>}
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
    return (
      <>
        <b>{placed.length} bets placed</b>, stakes {formatMoney(total)}. {text}
      </>
    );
  }
  const selection = info.selections.find(({ id }) => id === bet.selectionId);
  const sums = selection && sumsOf(rules, game, selection, bet, bet.stakeMinor);
  const line = bet.line === null ? '' : `${bet.line} at `;
  return (
    <>
      <b>
        Bet placed: {sideOf(selection, bet.side).word.toLowerCase()} {bet.name} at {line}
        {priceText(bet, selection)}
      </b>
      , stake {formatMoney(bet.stakeMinor)}
      {sums &&
        `, liability ${formatMoney(sums.liabilityMinor)}, wins ${sums.upTo ? 'up to ' : ''}${formatMoney(sums.profitMinor)}`}
      . {text}
    </>
  );
}

export function Tools({ betting }: { betting: Betting }) {
  const none = betting.rows.length === 0;
  return (
    <div className="bp__t">
      <Button kind="sec" icon={IconArrowBackUp} disabled={!betting.canUndo} onClick={betting.undo}>
        Undo
      </Button>
      {betting.canRepeat ? (
        <Button kind="sec" icon={IconRepeat} onClick={betting.repeat}>
          Repeat
        </Button>
      ) : (
        <Button kind="sec" disabled={none} onClick={betting.double} aria-label="Double all chips">
          2 ×
        </Button>
      )}
      <Button kind="sec" icon={IconTrash} disabled={none} onClick={betting.clear}>
        Clear
      </Button>
    </div>
  );
}

export function MainButton({ betting }: { betting: Betting }) {
  const { main, busy, chips } = betting;
  return (
    <PlaceRow
      className="bp__go"
      back={chips.review ? { words: 'Back', press: betting.back } : null}
      kind="pri"
      busy={busy}
      off={main.press === null}
      onPress={() => main.press?.()}
    >
      {main.words}
    </PlaceRow>
  );
}
