import { beginOfDay, SPORT_KEYS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { dayText, listed } from '../../platform/format.ts';
import { sportName } from '../../platform/sports.ts';
import { timeZone } from '../../platform/zone.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { DateInput } from '../../ui/date-input.tsx';
import { Field, SelectInput, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconAdjustments, IconChevronDown, IconSearch } from '../../ui/icons.ts';
import { PHONE, useMedia } from '../../ui/media.ts';
import { dayAfter, localDay } from './days.ts';
import dataCss from '../../ui/data.module.css';
import panelCss from '../../ui/panel.module.css';

export interface Days {
  from: string;
  to: string;
}

export const lastWeek = (): Days => ({ from: localDay(-7), to: localDay(0) });

/** Both ends of the player's own days as UTC moments; the end belongs to the next day (CAR-33). */
export function bounds({ from, to }: Days): { from: string; to: string } {
  const begin = (day: string) => new Date(beginOfDay(Date.parse(day), timeZone())).toISOString();
  return { from: begin(from), to: begin(dayAfter(to)) };
}

/** What is wrong with the days of a filter, or null. A day that was cleared or is half typed is an empty text. */
export function daysWrong({ from, to }: Days): string | null {
  if (from === '' || to === '') return t`Choose a day.`;
  return from > to ? t`From is after To.` : null;
}

export const daysText = ({ from, to }: Days): string => t`${{ from: dayText(from) }} to ${{ to: dayText(to) }}`;

export interface Filter<Of extends Days> {
  /** What the report shows. */
  readonly shown: Of;
  /** What the fields say: shown once it is applied. */
  readonly draft: Of;
  edit(change: Partial<Of>): void;
  /** A change that is shown at once; what else is being typed is not. */
  choose(change: Partial<Of>): void;
  apply(): void;
  reset(): void;
}

export function useFilter<Of extends Days>(start: () => Of): Filter<Of> {
  const [draft, setDraft] = useState(start);
  const [shown, setShown] = useState(draft);
  return {
    shown,
    draft,
    edit: (change) => setDraft((held) => ({ ...held, ...change })),
    choose: (change) => {
      setDraft((held) => ({ ...held, ...change }));
      setShown((held) => ({ ...held, ...change }));
    },
    apply: () => setShown(draft),
    reset: () => {
      const again = start();
      setDraft(again);
      setShown(again);
    },
  };
}

/**
 * The filter of a report: From and To, and its own fields. On a phone it is one line that says what is chosen, and opens to
 * its fields: the report itself stands on the first screen.
 */
export function FilterForm({
  filter,
  chosen = [],
  children,
}: {
  filter: Filter<Days>;
  /** What is shown beside the days, in words. */
  chosen?: readonly string[];
  children?: ReactNode;
}) {
  const { shown, draft } = filter;
  const wrong = daysWrong(draft);
  const phone = useMedia(PHONE);
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <form
      className={cx(panelCss.panel, dataCss.filters)}
      aria-label={t`Filter`}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (wrong) return;
        setOpen(false);
        filter.apply();
      }}
    >
      {phone && (
        <button
          type="button"
          className={dataCss.fold}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          <Icon of={IconAdjustments} size={16} />
          <span className="sr">{t`Filter:`} </span>
          <span className="clip">{listed(daysText(shown), ...chosen)}</span>
          <Icon of={IconChevronDown} size={16} />
        </button>
      )}
      <div id={id} className={dataCss.filterFields} hidden={phone && !open}>
        <DayFields {...filter} />
        {children}
        <Button kind="pri" type="submit" disabled={wrong !== null}>
          {t`Apply`}
        </Button>
        <Button kind="ghost" onClick={() => filter.reset()}>
          {t`Reset`}
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

/** Words that are looked for, once the filter is applied. */
export function FilterSearch({
  filter,
  placeholder,
}: {
  filter: Filter<Days & { keyword: string }>;
  placeholder: string;
}) {
  return (
    <Field label={t`Search`} grow>
      <TextInput
        type="search"
        icon={IconSearch}
        value={filter.draft.keyword}
        placeholder={placeholder}
        maxLength={100}
        onChange={(event) => filter.edit({ keyword: event.target.value })}
      />
    </Field>
  );
}

/** Of every sport, and all of them. */
export const sportChoice = (): Readonly<Record<string, string>> => ({
  '': t`All sports`,
  ...Object.fromEntries(SPORT_KEYS.map((key) => [key, sportName(key)])),
});

function DayFields({ draft, edit }: Pick<Filter<Days>, 'draft' | 'edit'>) {
  return (
    <>
      <Field label={t`From`} error={daysWrong(draft)}>
        <DateInput value={draft.from} max={localDay(0)} onChange={(event) => edit({ from: event.target.value })} />
      </Field>
      <Field label={t`To`}>
        <DateInput value={draft.to} max={localDay(0)} onChange={(event) => edit({ to: event.target.value })} />
      </Field>
    </>
  );
}
