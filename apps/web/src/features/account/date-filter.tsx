import { SPORT_KEYS } from '@fairgame/contract';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { dayText } from '../../platform/format.ts';
import { sportName } from '../../platform/sports.ts';
import { Button } from '../../ui/button.tsx';
import { DateInput, Field, SelectInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconAdjustments, IconChevronDown } from '../../ui/icons.ts';
import { PHONE, useMedia } from '../../ui/media.ts';
import { dayAfter, localDay } from './days.ts';

export interface Days {
  from: string;
  to: string;
}

export const lastWeek = (): Days => ({ from: localDay(-7), to: localDay(0) });

/** Both ends of the player's own days as UTC moments; the end belongs to the next day (CAR-33). */
export function bounds({ from, to }: Days): { from: string; to: string } {
  return { from: new Date(`${from}T00:00:00`).toISOString(), to: new Date(`${dayAfter(to)}T00:00:00`).toISOString() };
}

/** What is wrong with the days of a filter, or null. A day that was cleared or is half typed is an empty text. */
export function daysWrong({ from, to }: Days): string | null {
  if (from === '' || to === '') return 'Choose a day.';
  return from > to ? 'From is after To.' : null;
}

const daysText = ({ from, to }: Days): string => `${dayText(from)} to ${dayText(to)}`;

/**
 * The filter of a report. On a phone it is one line that says what is chosen, and opens to its fields: the report itself
 * stands on the first screen.
 */
export function FilterForm({
  days,
  chosen,
  wrong,
  onApply,
  onReset,
  children,
}: {
  /** The days that the report shows, and what else is chosen of it, in words. */
  days: Days;
  chosen: readonly string[];
  wrong: string | null;
  onApply: () => void;
  onReset: () => void;
  children: ReactNode;
}) {
  const phone = useMedia(PHONE);
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <form
      className="panel filters"
      aria-label="Filter"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (wrong) return;
        setOpen(false);
        onApply();
      }}
    >
      {phone && (
        <button
          type="button"
          className="filters__fold"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Icon of={IconAdjustments} size={16} />
          <span className="sr">Filter: </span>
          <span className="clip">{[daysText(days), ...chosen].filter(Boolean).join(', ')}</span>
          <Icon of={IconChevronDown} size={16} />
        </button>
      )}
      <div id={id} className="filters__f" hidden={phone && !open}>
        {children}
        <Button kind="pri" type="submit" disabled={wrong !== null}>
          Apply
        </Button>
        <Button kind="ghost" onClick={onReset}>
          Reset
        </Button>
      </div>
    </form>
  );
}

/** A field of a filter: one of these words, by value. */
export function FilterChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}) {
  return (
    <Field label={label}>
      <SelectInput
        value={value}
        options={Object.entries<string>(options).map(([one, word]) => ({ value: one, label: word }))}
        onChange={(event) => onChange(event.target.value as Value)}
      />
    </Field>
  );
}

/** Of every sport, and all of them. */
export const SPORT_CHOICE: Readonly<Record<string, string>> = {
  '': 'All sports',
  ...Object.fromEntries(SPORT_KEYS.map((key) => [key, sportName(key)])),
};

export function DayFields<D extends Days>({ days, onChange }: { days: D; onChange: (days: D) => void }) {
  return (
    <>
      <Field label="From" error={daysWrong(days)}>
        <DateInput
          value={days.from}
          max={localDay(0)}
          onChange={(event) => onChange({ ...days, from: event.target.value })}
        />
      </Field>
      <Field label="To">
        <DateInput
          value={days.to}
          max={localDay(0)}
          onChange={(event) => onChange({ ...days, to: event.target.value })}
        />
      </Field>
    </>
  );
}

/** From and To with Apply and Reset, beside a report's own fields. */
export function DateFilter({
  chosen = [],
  onApply,
  onReset,
  children,
}: {
  /** What is chosen in the report's own fields, in words. */
  chosen?: readonly string[];
  onApply: (days: Days) => void;
  onReset?: () => void;
  children?: ReactNode;
}) {
  const [days, setDays] = useState<Days>(lastWeek);
  const [shown, setShown] = useState<Days>(days);
  const apply = (next: Days) => {
    setDays(next);
    setShown(next);
    onApply(next);
  };
  return (
    <FilterForm
      days={shown}
      chosen={chosen}
      wrong={daysWrong(days)}
      onApply={() => apply(days)}
      onReset={() => {
        onReset?.();
        apply(lastWeek());
      }}
    >
      <DayFields days={days} onChange={setDays} />
      {children}
    </FilterForm>
  );
}
