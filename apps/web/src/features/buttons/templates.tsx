import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useState } from 'react';
import { api, refresh } from '../../api/api.ts';
import { useProfile } from '../../betting/betting.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { SelectInput } from '../../ui/field.tsx';
import { IconPlus, IconX } from '../../ui/icons.ts';
import { checkTemplates, isFull, newRow, rowsOfTemplates, type TemplateRow, templatesIn } from './template-rows.ts';
import fieldCss from '../../ui/field.module.css';
import css from './buttons.module.css';

/** The player's stake templates as they are edited; kept with the buttons, only where something of them was changed. */
export function useTemplates() {
  const stored = useProfile()?.stakeTemplates;
  const [rows, setRows] = useState<readonly TemplateRow[] | null>(null);
  const [errors, setErrors] = useState<Record<number, string>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another device's change, and his own once it is kept
  useEffect(() => {
    setRows(null);
    setErrors({});
  }, [stored]);
  const kept = useMemo(() => rowsOfTemplates(stored ?? []), [stored]);
  const shown = rows ?? kept;
  const set = (next: readonly TemplateRow[]) => {
    setRows(next);
    setErrors({});
  };
  return {
    rows: shown,
    errors,
    dirty: rows !== null,
    add: () => set([...shown, newRow()]),
    change: (id: number, part: Partial<TemplateRow>) =>
      set(shown.map((row) => (row.id === id ? { ...row, ...part } : row))),
    remove: (id: number) => set(shown.filter((row) => row.id !== id)),
    /** False: something is wrong, and said at its row. */
    check(): boolean {
      const wrong = checkTemplates(shown);
      setErrors(wrong);
      return Object.keys(wrong).length === 0;
    },
    /** Throws what the server refused. */
    async save(): Promise<void> {
      if (rows === null) return;
      await api(CALLS.account.saveTemplates, { body: { templates: templatesIn(rows) } }, { quiet: true });
      refresh(CALLS.account.profile);
    },
  };
}

const kinds = (): Array<{ value: TemplateRow['kind']; label: string }> => [
  { value: 'percent', label: t`% of available` },
  { value: 'liability', label: t`Liability` },
  { value: 'profit', label: t`Target profit` },
];

/** Stakes that are worked out when they are pressed in the slip: made, edited and taken away here. */
export function Templates({ form }: { form: ReturnType<typeof useTemplates> }) {
  return (
    <section className={css.templates} aria-label={t`Stake templates`}>
      <h2 className="fs-13">{t`Stake templates`}</h2>
      <p className="t3 fs-12">{t`The slip works the stake out when you press one, at the price that stands there.`}</p>
      {form.rows.map((row, at) => (
        <Row key={row.id} row={row} number={at + 1} error={form.errors[row.id]} form={form} />
      ))}
      <Button size="sm" icon={IconPlus} disabled={isFull(form.rows)} onClick={form.add}>
        {t`Add a template`}
      </Button>
    </section>
  );
}

function Row({
  row,
  number,
  error,
  form,
}: {
  row: TemplateRow;
  number: number;
  error: string | undefined;
  form: ReturnType<typeof useTemplates>;
}) {
  const note = `template-${row.id}`;
  const wrong = {
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? note : undefined,
  };
  return (
    <div className={css.template}>
      <span className={cx(fieldCss.input, error && fieldCss.inputWrong)}>
        <input
          type="text"
          maxLength={10}
          placeholder={t`Label`}
          aria-label={t`Label of template ${number}`}
          {...wrong}
          value={row.label}
          onChange={(event) => form.change(row.id, { label: event.target.value })}
        />
      </span>
      <SelectInput
        aria-label={t`Kind of template ${number}`}
        options={kinds()}
        value={row.kind}
        onChange={(event) => form.change(row.id, { kind: event.target.value as TemplateRow['kind'] })}
      />
      <span className={cx(fieldCss.input, fieldCss.numberInput, error && fieldCss.inputWrong)}>
        <input
          inputMode="numeric"
          maxLength={9}
          aria-label={t`Value of template ${number}`}
          {...wrong}
          value={row.value}
          onChange={(event) => form.change(row.id, { value: event.target.value.replaceAll(/\D/g, '') })}
        />
      </span>
      <IconButton icon={IconX} small label={t`Take template ${number} away`} onClick={() => form.remove(row.id)} />
      {error && (
        <span className={cx(fieldCss.help, fieldCss.helpWrong, css.templateWrong)} id={note}>
          {error}
        </span>
      )}
    </div>
  );
}
