import { t } from '@lingui/core/macro';
import { availableOf, useWallet } from '../live/live.ts';
import { formatWhole, listed, typedAmount } from '../platform/format.ts';
import { named } from '../platform/named.ts';
import {
  clearSlip,
  type Draft,
  edit,
  isBusy,
  keepChoice,
  MOST_TICKS,
  type PriceRule,
  setKeepsSeveral,
  setPriceRule,
  useBets,
  useKeepsSeveral,
  usePriceRule,
} from '../slip/slip.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { StakeField } from '../ui/slip-frame.tsx';
import { SlipSelection } from '../ui/slip-parts.tsx';
import { StakeButtons } from '../ui/stepper.tsx';
import { focusOpener } from './keep-focus.ts';
import { kindOf, sideLetter, sideWord } from './kinds.ts';
import { useStakeButtons } from './profile.ts';
import { PriceBox } from './slip-price.tsx';
import { limitWords, winsWhen } from './slip-words.ts';
import { templateStake, templateWords, useStakeTemplates } from './stake-templates.ts';
import controlsCss from '../ui/controls.module.css';
import dataTableCss from '../ui/data-table.module.css';
import slipCss from '../ui/slip.module.css';
import css from './betting.module.css';

/** The parts of the slip's form: what is bet on, price and stake, stake buttons, and how it is to be placed. */

export function Selection({
  draft,
  compact,
  width,
  onRemove,
}: {
  draft: Draft;
  compact: boolean;
  width: number | undefined;
  onRemove: () => void;
}) {
  const look = kindOf(draft.kind);
  const word = sideWord(draft.kind, draft.side);
  const wins = winsWhen(draft, width);
  return (
    <SlipSelection
      side={draft.side === 'BACK' ? 'back' : 'lay'}
      letter={sideLetter(draft.kind, draft.side)}
      verb={look.yesNo || compact ? word : draft.side === 'BACK' ? t`Back (for)` : t`Lay (against)`}
      name={
        look.line && draft.line !== undefined
          ? listed(named(draft.runnerName), String(draft.line))
          : named(draft.runnerName)
      }
      sub={
        wins === null
          ? listed(named(draft.marketName), named(draft.eventName))
          : look.yesNo
            ? wins
            : `${named(draft.marketName)}: ${wins.charAt(0).toLowerCase()}${wins.slice(1)}`
      }
      compact={compact}
      onRemove={onRemove}
    />
  );
}

export function Fields({
  draft,
  compact,
  trouble,
  busy,
  stakeBox,
}: {
  draft: Draft;
  compact: boolean;
  trouble: string | null;
  busy: boolean;
  stakeBox: React.RefObject<HTMLInputElement | null>;
}) {
  const look = kindOf(draft.kind);
  return (
    <div className={slipCss.fields}>
      <div>
        {!compact && (
          <div className={controlsCss.label}>{look.rate ? (look.line ? t`Rate` : t`Price per 100`) : t`Odds`}</div>
        )}
        <PriceBox key={draft.pressed} draft={draft} />
      </div>
      <div data-stake>
        <StakeField
          ref={stakeBox}
          limits={limitsOf(draft)}
          lead={compact}
          value={draft.stakeText}
          onChange={(text) => edit({ stakeText: text }, draft.pressed)}
          error={draft.stakeText === '' ? null : trouble}
          disabled={busy}
        />
      </div>
    </div>
  );
}

/** "100 to 50,000". */
export const limitsOf = ({ minStakeMinor, maxStakeMinor }: Draft): string =>
  t`${{ least: formatWhole(minStakeMinor) }} to ${{ most: formatWhole(maxStakeMinor) }}`;

/** The player's stake buttons and his templates, worked out at the price in the slip; what the market does not take is off. */
export function Stakes({ draft, stakeMinor, busy }: { draft: Draft; stakeMinor: number; busy: boolean }) {
  const buttons = useStakeButtons('Match');
  const templates = useStakeTemplates();
  const wallet = useWallet();
  const common = {
    value: stakeMinor,
    disabled: busy,
    onPick: (value: number) => edit({ stakeText: typedAmount(value) }, draft.pressed),
  };
  return (
    <>
      <StakeButtons
        {...common}
        items={buttons.map(({ label, stakeMinor: value }) => ({ label, value, off: limitWords(draft, value) }))}
      />
      {wallet && templates.length > 0 && (
        <StakeButtons
          {...common}
          label={t`Stake templates`}
          items={templates.map((template) => {
            const value = templateStake(template, draft, availableOf(wallet));
            const words = templateWords(template);
            const off = limitWords(draft, value);
            return { label: template.label, value, title: words, off: off && `${words}: ${off}` };
          })}
        />
      )}
    </>
  );
}

/** Empties the slip; the focus goes back to the price it came from. */
export function leave(): void {
  if (isBusy()) return;
  clearSlip();
  focusOpener();
}

export function Choices({ draft, busy }: { draft: Draft; busy: boolean }) {
  const rule = usePriceRule();
  if (draft.kind !== 'book') {
    return (
      <label className={css.rule}>
        <span>{t`If the price moves`}</span>
        <select
          className={dataTableCss.pageSize}
          value={rule}
          disabled={busy}
          onChange={(event) => setPriceRule(event.target.value as PriceRule)}
        >
          <option value="ask">{t`Ask me`}</option>
          <option value="better">{t`Take a better price`}</option>
          <option value="any">{t`Take any price`}</option>
        </select>
      </label>
    );
  }
  return (
    <div className={css.keepStake}>
      <Checkbox
        checked={draft.persistence === 'PERSIST'}
        onChange={(on) => keepChoice({ persistence: on ? 'PERSIST' : 'LAPSE' }, draft.pressed)}
      >
        {t`Keep in-play`}
      </Checkbox>
      <Checkbox checked={draft.fillOrKill} onChange={(fillOrKill) => keepChoice({ fillOrKill }, draft.pressed)}>
        {t`Fill or kill`}
      </Checkbox>
      <label className={css.rule} title={t`Once matched, its other side so many ticks away; 0 for none`}>
        <span>{t`Offset, ticks`}</span>
        <input
          className={dataTableCss.pageSize}
          size={3}
          inputMode="numeric"
          value={draft.offset}
          readOnly={busy}
          aria-invalid={draft.field?.startsWith('offset') || undefined}
          onChange={(event) => keepChoice({ offset: ticksOf(event.target.value) }, draft.pressed)}
          onFocus={(event) => event.target.select()}
        />
      </label>
      {draft.seconds > 0 && (
        <span className={css.rule} title={t`What is unmatched then is cancelled; 0 for never`}>
          <span>{t`Ends after, seconds`}</span>
          <b className="num">{draft.seconds}</b>
        </span>
      )}
    </div>
  );
}

const ticksOf = (text: string): number => Math.min(MOST_TICKS, Number(text.replace(/\D/g, '')));

/** Beside "Ask before placing": whether presses are gathered, and the way to the stake buttons. */
export function SlipMore({ onEditStakes }: { onEditStakes?: () => void }) {
  const several = useKeepsSeveral();
  const held = useBets();
  return (
    <>
      <Checkbox checked={several} disabled={several && held.length > 1} onChange={setKeepsSeveral}>
        {t`Several bets`}
      </Checkbox>
      {onEditStakes && (
        <Button kind="ghost" size="sm" onClick={onEditStakes}>
          {t`Edit stakes`}
        </Button>
      )}
    </>
  );
}
