import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Panel } from '../../ui/panel.tsx';
import { returnsText } from './amounts.ts';
import { rankName } from './cards.ts';
import { type Fields, useField } from './fields.tsx';
import type { Section, SelectionInfo } from './grid.ts';
import { hintOf, Shut } from './odds-rows.tsx';
import { casinoWords } from './vocabulary.ts';
import panelCss from '../../ui/panel.module.css';
import pokerCss from './boards/poker.module.css';
import css from './odds-zones.module.css';

/** The colours of the two sides, of a tie, and of what is beside them. */
const HUES = { first: css.zoneFirst, second: css.zoneSecond, tie: css.zoneTie, side: css.zoneSide } as const;
type Hue = keyof typeof HUES;

/** The two to five main bets as large fields. */
export function Zones({ section, fields }: { section: Extract<Section, { kind: 'zones' }>; fields: Fields }) {
  const { cells, group } = section;
  const big = cells.filter((one) => one.limit === 'main').length;
  const hue = (one: SelectionInfo, at: number): Hue =>
    big === 0 ? 'side' : one.limit !== 'main' ? 'tie' : at === 0 ? 'first' : 'second';
  return (
    <section className={panelCss.panel} aria-label={group === casinoWords('Main') ? t`Main bets` : group}>
      <div className={css.zones} style={{ '--n': cells.length } as object}>
        {cells.map((one, at) => (
          <Zone key={one.id} selection={one} fields={fields} hue={hue(one, at)} />
        ))}
      </div>
    </section>
  );
}

function Zone({ selection, fields, hue }: { selection: SelectionInfo; fields: Fields; hue: Hue }) {
  const { text, idle, won, button, mark } = useField(selection, 'BACK', fields);
  return (
    <button {...button} className={cx(css.zone, HUES[hue], idle && 'is-shut', won && 'is-won')}>
      <span className={css.zoneTitle}>{selection.label}</span>
      <b>{text?.price ?? '\u2013'}</b>
      <span className={css.zonePays}>{text?.under ?? hintOf([selection])}</span>
      {mark}
    </button>
  );
}

/** Many small bets of one kind, in blocks. */
export function Blocks({ section, fields }: { section: Extract<Section, { kind: 'chips' }>; fields: Fields }) {
  return (
    <section className={cx(panelCss.panel, css.blocks)} aria-label={t`More bets`}>
      {section.blocks.map(({ title, cells }) => (
        <section key={title} className={blockClass(cells)} aria-label={title}>
          <h2 className={css.blockTitle}>
            {title}
            <Shut cells={cells} fields={fields} />
            <span className={css.blockReturns}>{returnsText(cells)}</span>
          </h2>
          <div className={css.blockGrid}>
            {currentOf(cells, fields).map((one) => (
              <SmallField key={one.id} selection={one} fields={fields} />
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}

/** Letters that fit a small field; longer words get wider ones. */
const LONG = 6;

/** How many lie in a row, so that rows are full: 13 ranks, 10 digits, 9 hands; else as many as fit. */
function blockClass(cells: readonly SelectionInfo[]): string {
  const count = new Set(cells.map((one) => one.label)).size;
  const words = cells.some((one) => one.label.length > LONG);
  if (count === 13 || count === 10 || count === 9) return cx(css.block, css.blockWide, css[`block${count}`]);
  return cx(css.block, count > 6 && css.blockWide, count === 4 && css.block4, words && css.blockWords);
}

/** Of selections of the same words (one for each ball of an over) only the one on offer is shown. */
function currentOf(cells: readonly SelectionInfo[], fields: Fields): SelectionInfo[] {
  const labels = [...new Set(cells.map((one) => one.label))];
  if (labels.length === cells.length) return [...cells];
  return labels.map((label) => {
    const same = cells.filter((one) => one.label === label);
    return same.find((one) => fields.quote(one, 'BACK')?.open) ?? same[0]!;
  });
}

function SmallField({ selection, fields }: { selection: SelectionInfo; fields: Fields }) {
  const { text, idle, won, button, mark } = useField(selection, 'BACK', fields);
  const units = selection.stakes ?? 1;
  return (
    <button {...button} className={cx(css.field, idle && 'is-shut', won && 'is-won')}>
      <b>{selection.label}</b>
      <i>{text?.price ?? '\u2013'}</i>
      {units > 1 && <small>{unitsText(units)}</small>}
      {mark}
    </button>
  );
}

const VALUES = {
  ranks: Array.from({ length: 13 }, (_, at) => at + 1),
  digits: [1, 2, 3, 4, 5, 6, 7, 8, 9, 0],
} as const;

type Rule = NonNullable<SelectionInfo['pick']>;
const fits = (rule: Rule, pick: readonly number[]): boolean =>
  pick.length >= rule.least && pick.length <= rule.most && (rule.repeats || new Set(pick).size === pick.length);

/** Bets on ranks or digits of the player's choice: first what is chosen, then the bet that the chip goes on. */
export function Picker({ rows, title, fields }: { rows: readonly SelectionInfo[]; title: string; fields: Fields }) {
  const [pick, setPick] = useState<readonly number[]>([]);
  const rules = rows.map((one) => one.pick!);
  const { of } = rules[0]!;
  const most = Math.max(...rules.map((rule) => rule.most));
  const repeats = rules.some((rule) => rule.repeats);
  const text = of === 'ranks' ? rankName : String;
  const press = (value: number) => {
    if (!repeats && pick.includes(value)) setPick(pick.filter((one) => one !== value));
    else if (pick.length < most) setPick(repeats ? [...pick, value] : [...pick, value].sort((x, y) => x - y));
  };
  const left = Math.min(...rules.map((rule) => rule.least)) - pick.length;
  return (
    <Panel
      title={title}
      end={
        <span className="row g-4 fs-12 t2">
          <Shut cells={rows} fields={fields} />
          <span role="status" className="num">
            {pickText(pick.map(text).join(' '), left)}
          </span>
          <Button kind="ghost" size="sm" disabled={pick.length === 0} onClick={() => setPick([])}>
            {t`Clear`}
          </Button>
        </span>
      }
    >
      <fieldset
        className={cx(pokerCss.poker, of === 'ranks' ? css.ranks : css.digits)}
        aria-label={of === 'ranks' ? t`Your ranks` : t`Your digits`}
      >
        {VALUES[of].map((value) => (
          <button
            key={value}
            type="button"
            className={cx(css.choice, 'num')}
            aria-pressed={pick.includes(value)}
            disabled={pick.length >= most && (repeats || !pick.includes(value))}
            onClick={() => press(value)}
          >
            {text(value)}
          </button>
        ))}
      </fieldset>
      <div className={css.picks}>
        {rows.map((one) => (
          <PickField key={one.id} selection={one} pick={pick} fields={fields} />
        ))}
      </div>
    </Panel>
  );
}

/** A bet on what was chosen; it takes chips once the choice fits it. */
function PickField({ selection, pick, fields }: { selection: SelectionInfo; pick: readonly number[]; fields: Fields }) {
  const side = selection.sides[0] === 'LAY' ? ('LAY' as const) : ('BACK' as const);
  const { text, idle, button, mark } = useField(selection, side, fields);
  const rule = selection.pick!;
  const ready = fits(rule, pick);
  const shut = idle || !ready;
  const units = ready ? fields.units(selection, pick) : 1;
  return (
    <button
      {...button}
      aria-disabled={shut || undefined}
      className={cx(css.field, css.fieldPick, side === 'LAY' && css.fieldLay, shut && 'is-shut')}
      onClick={shut ? undefined : () => fields.press(selection, side, pick)}
    >
      <b>{selection.label}</b>
      <i>{text?.price ?? '\u2013'}</i>
      <small>{units > 1 ? unitsText(units) : hintOf([selection]) || needText(rule)}</small>
      {mark}
    </button>
  );
}

/** What is chosen, and how many are to come. */
function pickText(chosen: string, left: number): string {
  if (left <= 0) return chosen;
  return chosen === '' ? t`Choose ${left}` : t`${chosen}, choose ${left} more`;
}

/** A bundle stakes its chip many times. */
const unitsText = (units: number): string => plural(units, { one: '# stake', other: '# stakes' });

function needText({ of, least, most, repeats }: Rule): string {
  const ranks = of === 'ranks';
  const different = !repeats && least > 1;
  if (least < most) {
    if (different) return ranks ? t`${least} to ${most} different ranks` : t`${least} to ${most} different digits`;
    return ranks ? t`${least} to ${most} ranks` : t`${least} to ${most} digits`;
  }
  if (different)
    return ranks
      ? plural(least, { one: '# different rank', other: '# different ranks' })
      : plural(least, { one: '# different digit', other: '# different digits' });
  return ranks
    ? plural(least, { one: '# rank', other: '# ranks' })
    : plural(least, { one: '# digit', other: '# digits' });
}
