import { type AlertWay, CALLS, type QuietByWay, type QuietHours } from '@fairgame/contract';
import { msg, t } from '@lingui/core/macro';
import { useState } from 'react';
import { api, refresh } from '../../api/api.ts';
import { say, type Words } from '../../platform/language.ts';
import { timeZone } from '../../platform/zone.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import css from './alerts.module.css';

const textOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

const WAYS: Readonly<Record<AlertWay, Words>> = {
  SOUND: msg`Sound`,
  NOTICE: msg`Notifications while a page is open`,
  PUSH: msg`Notifications when none is open`,
};

/** Hours in which a way of telling is silent, each way by itself. */
export function AlertQuiet({ quiet }: { quiet: QuietByWay }) {
  return (
    <Panel title={t`Quiet hours`} flush={false}>
      <p className="t2">{t`What comes true then stands here and in the page, and is not told that way.`}</p>
      {(Object.keys(WAYS) as AlertWay[]).map((way) => (
        <Hours key={way} way={way} quiet={quiet} />
      ))}
    </Panel>
  );
}

function Hours({ way, quiet: all }: { way: AlertWay; quiet: QuietByWay }) {
  const quiet = all[way];
  const [from, setFrom] = useState(textOf(quiet?.from ?? 22 * 60));
  const [to, setTo] = useState(textOf(quiet?.to ?? 7 * 60));
  const [busy, setBusy] = useState(false);
  const set = async (next: QuietHours | null) => {
    setBusy(true);
    try {
      await api(CALLS.alerts.setQuiet, { body: { quiet: { ...all, [way]: next } } });
    } catch {
      // The call told the player already.
    } finally {
      setBusy(false);
      refresh(CALLS.alerts.list);
    }
  };
  const whole = /^\d\d:\d\d$/.test(from) && /^\d\d:\d\d$/.test(to) && from !== to;
  const next = { from: minutesOf(from), to: minutesOf(to), zone: timeZone() };
  return (
    <fieldset className={css.hours}>
      <legend>{say(WAYS[way])}</legend>
      {quiet && (
        <p className="t2">
          {t`Now ${{ from: textOf(quiet.from) }} to ${{ to: textOf(quiet.to) }}, ${{ zone: quiet.zone }}.`}
        </p>
      )}
      <div className={css.times}>
        <Field label={t({ message: 'From', context: 'hour' })}>
          <TextInput type="time" value={from} onChange={(event) => setFrom(event.target.value)} />
        </Field>
        <Field label={t({ message: 'To', context: 'hour' })}>
          <TextInput type="time" value={to} onChange={(event) => setTo(event.target.value)} />
        </Field>
        <Button busy={busy} disabled={!whole} onClick={() => void set(next)}>
          {t({ message: 'Set', comment: 'the button that sets quiet hours' })}
        </Button>
        {quiet && (
          <Button kind="ghost" busy={busy} onClick={() => void set(null)}>
            {t({ message: 'None', comment: 'the button that ends quiet hours' })}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
