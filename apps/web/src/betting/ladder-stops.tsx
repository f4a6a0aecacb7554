import { type ConditionalOrder, minorToText, moveTicks, tickInFavour } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../api/api.ts';
import { formatOdds, formatSigned, formatStake, typedMinor, typedOdds } from '../platform/format.ts';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field, NumberInput, Wrong } from '../ui/field.tsx';
import { Choice } from '../ui/tabs.tsx';
import { holdOrder } from './held-orders.ts';
import { closedAt, closingBet, type Standing, triggerOf } from './ladder-sums.ts';
import css from './desk.module.css';

/** A way out that the server holds: a stop-loss, a take-profit or a trailing stop for the bets on one runner. */

export type ExitKind = 'STOP' | 'PROFIT' | 'TRAIL';

interface Props {
  marketId: number;
  runnerId: number;
  standing: Standing | null;
  /** The kind the player asked for, and the price he was at. */
  kind: ExitKind;
  price: number | null;
  /** Asked for by a key: the next keys are typed here. */
  isKeyed: boolean;
  /** What waits for the runner already. */
  held: readonly ConditionalOrder[];
  onDone: () => void;
}

export function ExitForm(props: Props) {
  const { standing, held, isKeyed, onDone } = props;
  const form = useExit(props);
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const first = isKeyed && box.current?.querySelector<HTMLInputElement>('input[inputmode]');
    if (!first) return;
    first.focus();
    first.select();
  }, [isKeyed]);
  const { kind, by, fields, set } = form;
  return (
    <form className={css.exit} noValidate ref={box} onSubmit={(event) => void form.submit(event)}>
      <Choice
        label={t`Kind`}
        value={kind}
        onChange={(next) => set({ kind: next })}
        items={{ STOP: t`Stop-loss`, PROFIT: t`Take profit`, TRAIL: t`Trailing` }}
      />
      {kind !== 'TRAIL' && standing && (
        <Choice label={t`At`} value={by} onChange={(next) => set({ by: next })} items={byWords(kind)} />
      )}
      {!standing && (
        <Choice
          label={t`Side`}
          value={fields.side}
          onChange={(side) => set({ side })}
          items={{ BACK: t({ message: 'Back', context: 'bet' }), LAY: t({ message: 'Lay', context: 'bet' }) }}
        />
      )}
      <div className={css.fields}>
        {kind === 'TRAIL' ? (
          <Typed label={t`Ticks behind`} value={fields.ticks} onChange={(ticks) => set({ ticks })} />
        ) : by === 'tick' || !standing ? (
          <Typed label={t`Price`} value={fields.price} onChange={(price) => set({ price })} />
        ) : (
          <Typed label={t`Amount`} value={fields.amount} onChange={(amount) => set({ amount })} />
        )}
        <Typed
          label={t`Stake`}
          value={fields.stake}
          placeholder={form.stake ? minorToText(form.stake) : ''}
          onChange={(stake) => set({ stake })}
        />
        {kind !== 'PROFIT' && <Typed label={t`Ticks to give`} value={fields.slip} onChange={(slip) => set({ slip })} />}
      </div>
      {held.length > 0 && (
        <Checkbox checked={fields.linked} onChange={(linked) => set({ linked })}>
          {t`The first of these to act ends the others`}
        </Checkbox>
      )}
      <p className="t2 fs-12" aria-live="polite">
        {form.error === null ? form.words : <Wrong>{form.error}</Wrong>}
      </p>
      <div className="row g-4">
        <Button size="sm" onClick={onDone}>
          {t`Leave it`}
        </Button>
        <Button size="sm" kind="pri" type="submit" busy={form.busy}>
          {t`Hold it`}
        </Button>
      </div>
    </form>
  );
}

const byWords = (kind: ExitKind) => ({
  tick: t({ message: 'a price', comment: 'At: a price' }),
  amount:
    kind === 'STOP'
      ? t({ message: 'a loss', comment: 'At: a loss' })
      : t({ message: 'a profit', comment: 'At: a profit' }),
});

function Typed({
  label,
  value,
  placeholder,
  onChange,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (text: string) => void;
}) {
  return (
    <Field label={label}>
      <NumberInput decimal value={value} placeholder={placeholder} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}

interface Fields {
  kind: ExitKind;
  by: 'tick' | 'amount';
  side: 'BACK' | 'LAY';
  price: string;
  amount: string;
  ticks: string;
  slip: string;
  stake: string;
  linked: boolean;
}

function useExit({ marketId, runnerId, standing, kind, price, held, onDone }: Props) {
  const [fields, setFields] = useState<Fields>({
    kind,
    by: price === null && standing ? 'amount' : 'tick',
    side: 'LAY',
    price: price === null ? '' : formatOdds(price),
    amount: '',
    ticks: '5',
    slip: '3',
    stake: '',
    linked: true,
  });
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const exit = exitOf(fields, standing);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if ('fault' in exit) return setError(exit.fault);
    setBusy(true);
    setError(null);
    try {
      const link = fields.linked ? held[0]?.id : undefined;
      await holdOrder({ betId: marketId, runnerId, ...exit.order, ...(link === undefined ? {} : { link }) });
      toast.success(t`The server holds it`);
      onDone();
    } catch (failure) {
      setError(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  return {
    ...fields,
    fields,
    set: (next: Partial<Fields>) => {
      setFields({ ...fields, ...next });
      setError(null);
    },
    stake: 'fault' in exit ? null : exit.stake,
    error,
    words: wordsOf(exit),
    busy,
    submit,
  };
}

const whole = (text: string, least: number): number | null => {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= least && value <= 100 ? value : null;
};

/** What would be held as the form stands, and in words; or what it wants, which is said `early`, before a press, where it is no empty field. */
type Exit =
  | { order: Omit<Parameters<typeof holdOrder>[0], 'betId' | 'runnerId'>; stake: number; words: string }
  | { fault: string; early?: true };

const wordsOf = (exit: Exit): string =>
  'words' in exit
    ? exit.words
    : exit.early
      ? exit.fault
      : t`It is placed by the server when it is met, also with this window closed.`;

function exitOf(fields: Fields, standing: Standing | null): Exit {
  const { kind } = fields;
  const typed = typedMinor(fields.stake);
  const slip = whole(fields.slip, 0);
  const side = standing ? (standing.win > standing.lose ? 'LAY' : 'BACK') : fields.side;
  const base = { bettingType: side, persistence: 'PERSIST' } as const;
  if (kind === 'TRAIL') {
    const ticks = whole(fields.ticks, 1);
    if (ticks === null) return { fault: t`Enter a whole number from 1 to 100.` };
    if (slip === null) return { fault: t`Enter a whole number from 0 to 100.` };
    // Where it will act is not known yet: the stake of evens would be a guess, so it is typed.
    if (!typed) return { fault: t`Enter a stake` };
    return {
      order: { ...base, kind, stake: typed, ticks, slip },
      stake: typed,
      words: trailWords(side, typed, ticks, slip),
    };
  }
  const at = triggerAt(fields, kind, side, standing);
  if ('fault' in at) return at;
  const { trigger } = at;
  if (kind === 'STOP' && slip === null) return { fault: t`Enter a whole number from 0 to 100.` };
  const stake = typed ?? (standing ? closingBet(standing, trigger)?.stake : undefined);
  if (!stake) return { fault: t`Enter a stake` };
  const odd = kind === 'PROFIT' ? trigger : moveTicks(trigger, side === 'LAY' ? slip! : -slip!);
  const result = standing && !typed ? closedAt(standing, trigger) : null;
  const words = exitWords(side, { stake, odd, trigger, result });
  return { order: { ...base, kind, stake, trigger, odd }, stake, words };
}

function trailWords(side: 'BACK' | 'LAY', minor: number, ticks: number, slip: number): string {
  const stake = formatStake(minor);
  const behind = plural(ticks, { one: '# tick', other: '# ticks' });
  return side === 'BACK'
    ? t`Backs ${stake} once the price is ${behind} worse than the best since now, at most ${slip} further.`
    : t`Lays ${stake} once the price is ${behind} worse than the best since now, at most ${slip} further.`;
}

/** `result`: what closing brings, minor units, where that is known. */
function exitWords(
  side: 'BACK' | 'LAY',
  at: { stake: number; odd: number; trigger: number; result: number | null },
): string {
  const [stake, odds, price] = [formatStake(at.stake), formatOdds(at.odd), formatOdds(at.trigger)];
  if (at.result === null)
    return side === 'BACK'
      ? t`Backs ${stake} at ${odds} or better once ${price} is the best price.`
      : t`Lays ${stake} at ${odds} or better once ${price} is the best price.`;
  const result = formatSigned(at.result);
  return side === 'BACK'
    ? t`Backs ${stake} at ${odds} or better once ${price} is the best price, about ${result} whatever wins.`
    : t`Lays ${stake} at ${odds} or better once ${price} is the best price, about ${result} whatever wins.`;
}

/** The price that meets it, hundredths. */
function triggerAt(
  fields: Fields,
  kind: 'STOP' | 'PROFIT',
  side: 'BACK' | 'LAY',
  standing: Standing | null,
): { trigger: number } | { fault: string; early?: true } {
  if (fields.by === 'amount' && standing) {
    const amount = typedMinor(fields.amount) ?? 0;
    if (amount <= 0) return { fault: t`Enter an amount such as 25 or 2.50.` };
    const trigger = triggerOf(standing, kind, amount);
    return trigger === null ? { fault: t`No price brings this amount.`, early: true } : { trigger };
  }
  const price = typedOdds(fields.price);
  return price === null ? { fault: t`Odds as 2.20.` } : { trigger: tickInFavour(price, side) };
}
