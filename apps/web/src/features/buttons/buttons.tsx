import { CALLS, COUNT } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { ApiError, api, refresh, useCall } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { IconCards, IconCricket } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type ButtonRow, checkRows, jsonOf, rowsOf, storedOf } from './rows.ts';
import { Templates, useTemplates } from './templates.tsx';
import fieldCss from '../../ui/field.module.css';
import overlayCss from '../../ui/overlay.module.css';
import panelCss from '../../ui/panel.module.css';
import css from './buttons.module.css';

type Kind = 'Match' | 'Casino';
const tabs = () => [
  { id: 'Match' as const, label: t`Game Buttons`, icon: IconCricket },
  { id: 'Casino' as const, label: t`Casino Buttons`, icon: IconCards },
];

/** The modal Set Button Values. */
export function ModalScreen({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useButtons(onClose);
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={t`Set Button Values`}
      width="s"
      dirty={form.dirty}
      tabs={<Tabs fill label={t`Kind of buttons`} items={tabs()} value={form.kind} onChange={form.setKind} />}
      footer={
        <>
          <Button kind="ghost" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Update form={form} />
        </>
      }
    >
      <Rows form={form} />
    </Modal>
  );
}

/** The same as a screen of its own. */
export function Screen() {
  const form = useButtons(() => undefined);
  return (
    <>
      <PageHead title={t`Set Button Values`} />
      <section className={cx(panelCss.panel, css.page)}>
        <Tabs fill label={t`Kind of buttons`} items={tabs()} value={form.kind} onChange={form.setKind} />
        <div className={panelCss.body}>
          <Rows form={form} />
        </div>
        <div className={overlayCss.modalFoot}>
          <Update form={form} />
        </div>
      </section>
    </>
  );
}

/** Not before the values are there: what is not shown yet is not kept in their place. */
function Update({ form }: { form: ReturnType<typeof useButtons> }) {
  return (
    <Button kind="pri" busy={form.busy} disabled={!form.isThere} onClick={() => void form.save()}>
      {t`Update`}
    </Button>
  );
}

function useButtons(onSaved: () => void) {
  const [kind, setKind] = useState<Kind>('Match');
  const templates = useTemplates();
  const reading = useCall(CALLS.account.buttons, { query: { type: kind } });
  const stored = storedOf(reading.data);
  const [rows, setRows] = useState<ButtonRow[]>([]);
  const [errors, setErrors] = useState<Record<number, string>>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [dirty, setDirty] = useState(false);
  // The stored values of the chosen tab fill the rows; what was typed in another tab stays there unsaved and is dropped.
  useEffect(() => {
    setRows(rowsOf(stored?.value));
    setErrors({});
    setRefused(null);
    setDirty(false);
  }, [stored]);

  return {
    kind,
    setKind,
    templates,
    reading,
    isThere: rows.length >= COUNT.buttonRows,
    rows,
    errors,
    refused,
    busy,
    dirty: dirty || templates.dirty,
    change(at: number, part: Partial<ButtonRow>) {
      setRows((now) => now.map((row, i) => (i === at ? { ...row, ...part } : row)));
      setErrors((was) => Object.fromEntries(Object.entries(was).filter(([row]) => Number(row) !== at)));
      setDirty(true);
    },
    async save() {
      const wrong = checkRows(rows);
      setErrors(wrong);
      setRefused(null);
      const isRight = templates.check();
      if (Object.keys(wrong).length > 0 || !isRight) return;
      setBusy(true);
      try {
        await templates.save();
        await api(CALLS.account.saveButtons, {
          body: { ...(stored ? { id: stored.id } : {}), type: kind, value: jsonOf(rows) },
        });
        refresh(CALLS.account.buttons, CALLS.account.profile);
        setDirty(false);
        onSaved();
      } catch (error) {
        setRefused(error instanceof ApiError ? error.message : t`The values were not saved.`);
      } finally {
        setBusy(false);
      }
    },
  };
}

function Rows({ form }: { form: ReturnType<typeof useButtons> }) {
  if (form.reading.isError)
    return <ErrorNote title={t`The buttons did not load.`} onRetry={() => void form.reading.refetch()} />;
  if (!form.isThere) return <SkeletonRows rows={8} kind="table" />;
  return (
    <div>
      <div className={cx(overlayCss.stake, overlayCss.stakeHead)} aria-hidden="true">
        <span />
        <span>{t`Price Label`}</span>
        <span>{t`Price Value`}</span>
      </div>
      {form.rows.map((row, at) => {
        const number = at + 1;
        const error = form.errors[at];
        const id = `bv-${form.kind}-${at}`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the number of the row is its identity
          <div className={overlayCss.stake} key={at}>
            <span aria-hidden="true">{number}</span>
            <span className={cx(fieldCss.input, error && fieldCss.inputWrong)}>
              <input
                type="text"
                maxLength={10}
                aria-label={t`Price Label ${number}`}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? id : undefined}
                value={row.label}
                onChange={(event) => form.change(at, { label: event.target.value })}
              />
            </span>
            <span className={cx(fieldCss.input, fieldCss.numberInput, error && fieldCss.inputWrong)}>
              <input
                type="number"
                inputMode="numeric"
                min={1}
                max={100_000_000}
                step={1}
                aria-label={t`Price Value ${number}`}
                aria-invalid={error ? true : undefined}
                aria-describedby={error ? id : undefined}
                value={row.value}
                onChange={(event) => form.change(at, { value: event.target.value })}
                // Letters, signs and points are no stake; a browser's number box would take some of them.
                onKeyDown={(event) => {
                  if (event.key.length === 1 && !/\d/.test(event.key) && !event.ctrlKey && !event.metaKey)
                    event.preventDefault();
                }}
              />
            </span>
            {error && (
              <span className={cx(fieldCss.help, fieldCss.helpWrong, css.wrong)} id={id}>
                {error}
              </span>
            )}
          </div>
        );
      })}
      <p className={cx('t3 fs-12', css.note)}>{t`A row is saved only when both boxes are filled.`}</p>
      {form.kind === 'Match' && <Templates form={form.templates} />}
      {form.refused && (
        <p className={cx(fieldCss.help, fieldCss.helpWrong, css.note)} role="alert">
          {form.refused}
        </p>
      )}
    </div>
  );
}
