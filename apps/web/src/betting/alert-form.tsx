import {
  type Alert,
  type AlertBody,
  type AlertKind,
  CALLS,
  type MarketImage,
  moveTicks,
  oddsText,
} from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { type FormEvent, useState } from 'react';
import { ApiError, api, refresh } from '../api/api.ts';
import { listed, typedAmount, typedMinor, typedOdds } from '../platform/format.ts';
import { say } from '../platform/language.ts';
import { named } from '../platform/named.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field, NumberInput, SelectInput } from '../ui/field.tsx';
import { Modal } from '../ui/modal.tsx';
import { Note } from '../ui/note.tsx';
import { FIGURE_WORDS, KIND_WORDS } from './alert-words.ts';
import css from './betting.module.css';

/** What the form holds, as typed. */
interface Draft {
  kind: AlertKind;
  runnerId: number | undefined;
  figure: 'BACK' | 'LAY' | 'LAST';
  when: 'UP' | 'DOWN';
  price: string;
  /** The price is the player's own: it stays where he turns to another runner, side or direction. */
  typed: boolean;
  amount: string;
  seconds: string;
  every: boolean;
}
type Wrong = { field: string; text: string };
type Change = (change: Partial<Draft>) => void;

/** Sets an alert on a market, or changes one that is there. */
export function AlertForm(props: Props) {
  const { market, alert, onClose } = props;
  const { draft, wrong, busy, change, send } = useAlert(props);
  const kinds = alert ? [alert.kind] : kindsOf(market);
  const runners = alert ? [{ id: alert.runnerId ?? 0, name: alert.teamName }] : (market?.runners ?? []);
  const form = `alert-${alert?.id ?? market?.id}`;
  return (
    <Modal
      open
      width="s"
      title={alert ? t`Change the alert` : t`Alert me`}
      onClose={onClose}
      footer={
        <Button kind="pri" block type="submit" form={form} busy={busy}>
          {alert ? t`Change` : t`Set the alert`}
        </Button>
      }
    >
      <form id={form} className={css.alertForm} noValidate onSubmit={(event) => void send(event)}>
        <p className="t2">{alert ? listed(alert.eventName, named(alert.bettingName)) : named(market?.name ?? '')}</p>
        <Field label={t`When`} error={wrong?.field === 'kind' ? wrong.text : null}>
          <SelectInput
            value={draft.kind}
            disabled={kinds.length === 1}
            options={kinds.map((kind) => ({ value: kind, label: say(KIND_WORDS[kind]) }))}
            onChange={(event) => change({ kind: event.target.value as AlertKind })}
          />
        </Field>
        <Details draft={draft} runners={runners} wrong={wrong} change={change} />
        <Checkbox checked={draft.every} onChange={(every) => change({ every })}>
          {t`Every time, not once`}
        </Checkbox>
        {wrong && !SHOWN.has(wrong.field) && (
          <Note tone="err" alert>
            {wrong.text}
          </Note>
        )}
      </form>
    </Modal>
  );
}

interface Props {
  market?: MarketImage | undefined;
  runnerId?: number | undefined;
  alert?: Alert;
  onClose: () => void;
}

/** The alert as the form has it, and what is wrong with it. */
function useAlert({ market, runnerId, alert, onClose }: Props) {
  const [draft, setDraft] = useState(() => begin(market, runnerId, alert));
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [busy, setBusy] = useState(false);
  const change: Change = (more) => {
    setDraft((before) => {
      const after = { ...before, ...more };
      return after.typed ? after : { ...after, price: proposed(market, after) };
    });
    setWrong(null);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(draft, alert ? (alert.betId ?? undefined) : market?.id);
    if ('text' in body) return setWrong(body);
    setBusy(true);
    try {
      if (alert) await api(CALLS.alerts.change, { body: { id: alert.id, ...body } }, { quiet: true });
      else await api(CALLS.alerts.create, { body }, { quiet: true });
      toast.success(alert ? t`The alert is changed` : t`The alert is set`, '/alerts');
      refresh(CALLS.alerts.list);
      onClose();
    } catch (error) {
      setWrong({
        field: (error instanceof ApiError && error.field) || '',
        text: error instanceof ApiError ? error.message : t`The alert was not set. Try again.`,
      });
    } finally {
      setBusy(false);
    }
  };
  return { draft, wrong, busy, change, send };
}

/** Fields with a line of their own for what is wrong. */
const SHOWN = new Set(['kind', 'runnerId', 'price', 'amountMinor', 'seconds']);

interface DetailProps {
  draft: Draft;
  runners: ReadonlyArray<{ id: number; name: string }>;
  wrong: Wrong | null;
  change: Change;
}

function Details({ draft, runners, wrong, change }: DetailProps) {
  const { kind } = draft;
  const at = (field: string) => (wrong?.field === field ? wrong.text : null);
  if (kind === 'SUSPENDED')
    return (
      <Field label={t`Seconds`} error={at('seconds')}>
        <NumberInput value={draft.seconds} onChange={(event) => change({ seconds: event.target.value })} />
      </Field>
    );
  const amount = (
    <Field label={t`Amount`} error={at('amountMinor')}>
      <NumberInput decimal value={draft.amount} onChange={(event) => change({ amount: event.target.value })} />
    </Field>
  );
  if (kind === 'MATCHED') return amount;
  if (kind !== 'PRICE' && kind !== 'SIZE') return null;
  const figures = (Object.keys(FIGURE_WORDS) as Array<Draft['figure']>).filter(
    (one) => kind === 'PRICE' || one !== 'LAST',
  );
  return (
    <>
      <Field label={t`Runner`} error={at('runnerId')}>
        <SelectInput
          value={draft.runnerId}
          disabled={runners.length === 1}
          options={runners.map(({ id, name }) => ({ value: String(id), label: named(name) }))}
          onChange={(event) => change({ runnerId: Number(event.target.value) })}
        />
      </Field>
      <Field label={kind === 'PRICE' ? t`Price` : t`Side`}>
        <SelectInput
          value={draft.figure}
          options={figures.map((one) => ({ value: one, label: say(FIGURE_WORDS[one]) }))}
          onChange={(event) => change({ figure: event.target.value as Draft['figure'] })}
        />
      </Field>
      {kind === 'SIZE' ? (
        amount
      ) : (
        <>
          <Field label={t`Direction`}>
            <SelectInput
              value={draft.when}
              options={[
                { value: 'UP', label: t`at or above` },
                { value: 'DOWN', label: t`at or below` },
              ]}
              onChange={(event) => change({ when: event.target.value as Draft['when'] })}
            />
          </Field>
          <Field label={t`Odds`} error={at('price')}>
            <NumberInput
              decimal
              value={draft.price}
              onChange={(event) => change({ price: event.target.value, typed: true })}
            />
          </Field>
        </>
      )}
    </>
  );
}

/** What can be waited for in a market; what its sport has not the server refuses by name. */
function kindsOf(market: MarketImage | undefined): AlertKind[] {
  if (!market) return ['BET'];
  const isBook = market.kind === 'book';
  // Runners are taken out of races alone.
  const isRace = market.removable === true;
  const fits: Partial<Record<AlertKind, boolean>> = {
    PRICE: isBook,
    SIZE: isBook,
    MATCHED: isBook,
    OFF: isRace,
    SCORE: !isRace,
  };
  return (Object.keys(KIND_WORDS) as AlertKind[]).filter((kind) => fits[kind] ?? true);
}

function begin(market: MarketImage | undefined, runnerId: number | undefined, alert: Alert | undefined): Draft {
  if (alert)
    return {
      kind: alert.kind,
      runnerId: alert.runnerId ?? undefined,
      figure: alert.figure ?? 'BACK',
      when: alert.when ?? 'UP',
      price: alert.price === null ? '' : oddsText(alert.price),
      typed: true,
      amount: alert.amountMinor === null ? '' : typedAmount(alert.amountMinor),
      seconds: String(alert.seconds ?? 30),
      every: alert.every,
    };
  const runner = market?.runners.find(({ id }) => id === runnerId) ?? market?.runners[0];
  const draft: Draft = {
    kind: kindsOf(market)[0] ?? 'BET',
    runnerId: runner?.id,
    figure: 'BACK',
    when: 'UP',
    price: '',
    typed: false,
    amount: '',
    seconds: '30',
    every: false,
  };
  return { ...draft, price: proposed(market, draft) };
}

/** The next price that has not come: one tick beyond that of now, where the ladder goes on. The price of now itself would be refused. */
function proposed(market: MarketImage | undefined, { runnerId, figure, when }: Draft): string {
  const runner = market?.runners.find(({ id }) => id === runnerId);
  const now = figure === 'LAST' ? runner?.last : runner?.[figure === 'BACK' ? 'back' : 'lay'][0]?.[0];
  if (!now) return '';
  const next = moveTicks(now, when === 'UP' ? 1 : -1);
  return next === now ? '' : oddsText(next);
}

/** As the server takes it, or what cannot be read. */
function bodyOf(draft: Draft, betId: number | undefined): AlertBody | Wrong {
  const { kind, runnerId, figure, when, every } = draft;
  const body: AlertBody = { kind, every, ...(betId === undefined ? {} : { betId }) };
  if (kind === 'SUSPENDED') {
    if (!/^\d{1,4}$/.test(draft.seconds.trim())) return { field: 'seconds', text: t`Seconds, 1 to 3600.` };
    return { ...body, seconds: Number(draft.seconds) };
  }
  if (kind === 'PRICE') {
    const price = typedOdds(draft.price.trim());
    if (price === null) return { field: 'price', text: t`Odds as 2.20.` };
    return { ...body, runnerId: runnerId!, figure, when, price };
  }
  if (kind !== 'SIZE' && kind !== 'MATCHED') return body;
  const amountMinor = typedMinor(draft.amount.trim());
  if (amountMinor === null || amountMinor <= 0) return { field: 'amountMinor', text: t`An amount as 1000.00.` };
  if (kind === 'MATCHED') return { ...body, amountMinor };
  return { ...body, runnerId: runnerId!, figure: figure === 'LAST' ? 'BACK' : figure, amountMinor };
}
