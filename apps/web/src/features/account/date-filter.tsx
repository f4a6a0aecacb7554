import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
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

/** From and To with Apply and Reset, beside a report's own fields. */
export function DateFilter({
  onApply,
  onReset,
  children,
}: {
  onApply: (days: Days) => void;
  onReset?: () => void;
  children?: ReactNode;
}) {
  const [days, setDays] = useState<Days>(lastWeek);
  const wrong = daysWrong(days);
  return (
    <form
      className="panel filters"
      aria-label="Filter"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!wrong) onApply(days);
      }}
    >
      <Field label="From" error={wrong}>
        <TextInput
          type="date"
          value={days.from}
          max={localDay(0)}
          onChange={(event) => setDays({ ...days, from: event.target.value })}
        />
      </Field>
      <Field label="To">
        <TextInput
          type="date"
          value={days.to}
          max={localDay(0)}
          onChange={(event) => setDays({ ...days, to: event.target.value })}
        />
      </Field>
      {children}
      <Button kind="pri" type="submit" disabled={wrong !== null}>
        Apply
      </Button>
      <Button
        kind="ghost"
        onClick={() => {
          setDays(lastWeek());
          onReset?.();
          onApply(lastWeek());
        }}
      >
        Reset
      </Button>
    </form>
  );
}
