import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { formatStake } from '../../platform/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import type { EventColumns } from '../../ui/event-list.tsx';
import { Field, SelectInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconAdjustments, IconArrowDown, IconArrowUp, IconColumns } from '../../ui/icons.ts';
import { COMPACT, useMedia } from '../../ui/media.ts';
import { Popover } from '../../ui/popover.tsx';
import { type Fact, useFacts } from './list-facts.ts';
import { type Competition, type ListFilter, narrowedBy } from './list-filter.ts';
import columnsCss from '../../ui/event-columns.module.css';
import css from './lists.module.css';

/** An amount in whole units of the currency, at the least. */
const orMore = (units: number): string => t`${{ least: formatStake(units * 100) }} or more`;

/** Filter and columns of a list of events, and its order where there is no room for heads: each a press above it. */
export function ListTools({
  filter,
  competitions,
  onChange,
}: {
  filter: ListFilter;
  competitions: readonly Competition[];
  onChange: (change: Partial<ListFilter>) => void;
}) {
  const compact = useMedia(COMPACT);
  return (
    <>
      {compact && <Order filter={filter} onChange={onChange} />}
      <Narrow filter={filter} competitions={competitions} onChange={onChange} />
      <Columns />
    </>
  );
}

interface Part {
  filter: ListFilter;
  onChange: (change: Partial<ListFilter>) => void;
}

const orders = (): ReadonlyArray<{ value: ListFilter['sort']; label: string }> => [
  { value: 'start', label: t`Start` },
  { value: 'name', label: t`Event` },
  { value: 'competition', label: t`Competition` },
  { value: 'matched', label: t`Most matched` },
  { value: 'markets', label: t`Most markets` },
];

/** The heads of what rows are ordered by; of those that have a column, only while the list is too narrow for it. */
export function SortHeads({ facts, ...part }: Part & { facts: ReadonlySet<Fact> }) {
  return orders().map(({ value, label }) => {
    if (value === 'markets' && !facts.has(value)) return null;
    const hasColumn = value !== 'start' && value !== 'name' && facts.has(value);
    const its = hasColumn ? (value === 'competition' ? columnsCss.inCompetition : columnsCss.inFigures) : undefined;
    return <SortHead key={value} by={value} label={label} className={its} {...part} />;
  });
}

/** Above each column that was chosen: a press orders by it. */
export function columnHeads(facts: ReadonlySet<Fact>, part: Part): EventColumns<ReactNode> {
  const head = (by: keyof EventColumns<ReactNode>, label: string) =>
    facts.has(by) ? <SortHead by={by} label={label} {...part} /> : undefined;
  return {
    competition: head('competition', t`Competition`),
    matched: head('matched', t`Matched`),
    markets: head('markets', t`Markets`),
  };
}

/** A press orders, another turns it round. */
function SortHead({
  by,
  label,
  className,
  filter: { sort, reverse },
  onChange,
}: Part & { by: ListFilter['sort']; label: string; className?: string | undefined }) {
  const on = by === sort;
  return (
    <button
      type="button"
      className={className}
      aria-pressed={on}
      title={on ? t`The other way round` : undefined}
      onClick={() => onChange(on ? { reverse: !reverse } : { sort: by, reverse: false })}
    >
      {label}
      {on && <Icon of={reverse ? IconArrowUp : IconArrowDown} size={12} />}
    </button>
  );
}

function Order({ filter: { sort, reverse }, onChange }: Part) {
  return (
    <span className={css.order}>
      <SelectInput
        aria-label={t`Order`}
        value={sort}
        options={orders()}
        onChange={(event) => onChange({ sort: event.target.value as ListFilter['sort'] })}
      />
      <IconButton
        icon={reverse ? IconArrowUp : IconArrowDown}
        label={t`The other way round`}
        aria-pressed={reverse}
        onClick={() => onChange({ reverse: !reverse })}
      />
    </span>
  );
}

function Narrow({ filter, competitions, onChange }: Part & { competitions: readonly Competition[] }) {
  const count = narrowedBy(filter);
  const choice = <Name extends 'competition' | 'time' | 'matched' | 'kind'>(
    name: Name,
    label: string,
    options: ReadonlyArray<readonly [ListFilter[Name], string]>,
  ): ReactNode => (
    <Field label={label}>
      <SelectInput
        value={filter[name]}
        options={options.map(([value, word]) => ({ value, label: word }))}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    </Field>
  );
  return (
    <Popover
      label={t`Filter`}
      title={t`Filter`}
      className={css.narrow ?? ''}
      trigger={<Button icon={IconAdjustments}>{count > 0 ? t`Filter (${count})` : t`Filter`}</Button>}
    >
      {choice('competition', t`Competition`, [
        ['', t`All competitions`],
        ...competitions.map(({ id, name, count: of }) => [id, `${name} (${of})`] as const),
      ])}
      {choice('time', t`Starts`, [
        ['', t`Any time`],
        ['3h', t`In the next 3 hours`],
        ['today', t`Today`],
        ['tomorrow', t`Tomorrow`],
        ['later', t`Later`],
      ])}
      {choice('matched', t`Matched`, [
        ['', t`Any amount`],
        ['1000', orMore(1000)],
        ['10000', orMore(10_000)],
        ['100000', orMore(100_000)],
      ])}
      {choice('kind', t`Markets`, [
        ['', t`Any`],
        ['bookmaker', t`With bookmaker`],
        ['fancy', t`With fancy`],
      ])}
      <Checkbox checked={filter.picture} onChange={(picture) => onChange({ picture })}>
        {t`With picture`}
      </Checkbox>
      {count > 0 && (
        <Button
          kind="ghost"
          onClick={() => onChange({ competition: '', time: '', matched: '', kind: '', picture: false })}
        >
          {t`Show all`}
        </Button>
      )}
    </Popover>
  );
}

function Columns() {
  const [facts, choose] = useFacts();
  const words: Record<Fact, string> = {
    competition: t`Competition`,
    score: t`Score`,
    matched: t`Matched`,
    markets: t`Number of markets`,
    tags: t`Picture, scores, bookmaker, fancy`,
  };
  return (
    <Popover
      label={t`Columns`}
      title={t`Columns`}
      className={css.narrow ?? ''}
      trigger={<IconButton icon={IconColumns} label={t`Columns`} />}
    >
      {(Object.keys(words) as Fact[]).map((fact) => (
        <Checkbox key={fact} checked={facts.has(fact)} onChange={(on) => choose(fact, on)}>
          {words[fact]}
        </Checkbox>
      ))}
    </Popover>
  );
}
