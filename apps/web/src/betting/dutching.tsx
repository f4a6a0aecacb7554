import type { MarketImage } from '@fairgame/contract';
import { type Dutch, dutch } from '@fairgame/exchange';
import { msg, plural, t } from '@lingui/core/macro';
import { useEffect, useId, useState } from 'react';
import { useMarketPrices } from '../live/live.ts';
import { formatMoney, formatStake, typedMinor } from '../platform/format.ts';
import { say, type Words } from '../platform/language.ts';
import { named } from '../platform/named.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field, NumberInput } from '../ui/field.tsx';
import { IconEqual } from '../ui/icons.ts';
import { announce } from '../ui/live-region.tsx';
import { Modal } from '../ui/modal.tsx';
import { SignedMoney } from '../ui/money.tsx';
import { Note } from '../ui/note.tsx';
import { SlipSum } from '../ui/slip-parts.tsx';
import { Choice } from '../ui/tabs.tsx';
import { AskPassword } from './ask-password.tsx';
import { useWaiting, without } from './cash-out-offer.ts';
import { useClosed } from './closed-words.ts';
import { priceText } from './kinds.ts';
import { limitWords } from './slip-words.ts';
import { useTogether } from './use-together.ts';
import css from './dutching.module.css';

type Plan = Extract<Dutch, { ok: true }>;

const WHY_NOT: Readonly<Record<'NO_DEPTH' | 'NO_PROFIT', Words>> = {
  NO_DEPTH: msg`Not enough money on offer`,
  NO_PROFIT: msg`At these prices no stakes win on each of them.`,
};

export function DutchButton({ market }: { market: MarketImage }) {
  const [open, setOpen] = useState(false);
  if (market.winners !== 1 || market.status === 'CLOSED') return null;
  return (
    <>
      <IconButton icon={IconEqual} size={17} label={t`Dutching`} onClick={() => setOpen(true)} />
      {open && <Dutching market={market} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Backs on several runners that win the same whichever of them comes in: shown first, then placed as one command. */
function Dutching({ market: shape, onClose }: { market: MarketImage; onClose: () => void }) {
  const market = useMarketPrices(shape.id) ?? shape;
  const form = useId();
  const [by, setBy] = useState<'total' | 'profit'>('total');
  const [text, setText] = useState('');
  const { chosen, toggle } = useChosen();
  const plan = usePlan(market, chosen, by, typedMinor(text) ?? 0);
  const closed = useClosed(market.id, market);
  const { step, place, leave } = useTogether(market, onClose);
  const said = step.said;
  useEffect(() => {
    if (said) announce(said, 'assertive');
  }, [said]);

  const busy = step.at !== 'rest';
  const ready = plan?.ok === true && closed === null;
  return (
    <Modal
      open
      width="s"
      title={t`Dutching`}
      onClose={onClose}
      footer={
        <Button kind="back" size="lg" block type="submit" form={form} busy={busy} disabled={!busy && !ready}>
          {closed ?? placeWords(plan?.ok ? plan : null)}
        </Button>
      }
    >
      <form
        id={form}
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy)
            place(
              plan.stakes.map(({ runnerId, price, sizeMinor }) => ({
                runnerId,
                bettingType: 'BACK',
                odd: price,
                stake: sizeMinor,
              })),
            );
        }}
      >
        <p className="t2 fs-13">
          {t`Choose the runners: the stakes are worked out so that you win the same whichever of them comes in.`}
        </p>
        <Choice
          label={t`Work out by`}
          value={by}
          onChange={setBy}
          items={{ total: t`Total stake`, profit: t`Target profit` }}
        />
        <Field label={by === 'total' ? t`Total stake` : t`Target profit`} error={amountTrouble(text)}>
          <NumberInput decimal value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Runners market={market} plan={plan?.ok ? plan : null} chosen={chosen} toggle={toggle} />
        {plan?.ok && <Sums plan={plan} />}
        {plan && !plan.ok && <Note tone="warn">{whyNot(plan, market)}</Note>}
        {step.said && <Note tone={step.at === 'rest' ? 'err' : 'warn'}>{step.said}</Note>}
      </form>
      {step.at === 'password' && (
        <AskPassword action={placeWords(plan?.ok ? plan : null)} onProven={step.go} onLeave={leave}>
          {t`You have been away for a while. Your password confirms that it is you; then the bet is placed.`}
        </AskPassword>
      )}
    </Modal>
  );
}

function useChosen() {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  return {
    chosen,
    toggle: (id: number) =>
      setChosen((now) => {
        const next = new Set(now);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
  };
}

/** Null until there is something to work out. Nobody is his own other side: his waiting bets are not on offer. */
function usePlan(
  market: MarketImage,
  chosen: ReadonlySet<number>,
  by: 'total' | 'profit',
  minor: number,
): Dutch | null {
  const own = useWaiting(market);
  if (chosen.size < 2 || minor <= 0) return null;
  const offers = market.runners
    .filter(({ id }) => chosen.has(id))
    .map(({ id, status, back }) => ({
      runnerId: id,
      backable: status === 'ACTIVE' ? without(own, id, 'LAY', back) : [],
    }));
  return dutch(offers, by === 'total' ? { totalMinor: minor } : { profitMinor: minor }, market);
}

const amountTrouble = (text: string): string | null =>
  text.trim() !== '' && typedMinor(text) === null
    ? t`Enter an amount such as 25 or ${{ example: formatMoney(1250) }}.`
    : null;

const placeWords = (plan: Plan | null): string =>
  plan
    ? plural({ count: plan.stakes.length }, { one: 'Place # bet', other: 'Place # bets' })
    : t`Choose runners and an amount`;

function whyNot({ reason, runnerId }: Extract<Dutch, { ok: false }>, market: MarketImage): string {
  if (reason === 'NO_DEPTH' || reason === 'NO_PROFIT') return say(WHY_NOT[reason]);
  const name = named(market.runners.find(({ id }) => id === runnerId)?.name ?? '');
  const stake = reason === 'STAKE_TOO_SMALL' ? market.minStakeMinor - 1 : market.maxStakeMinor + 1;
  return `${name}: ${limitWords(market, stake)}`;
}

function Runners({
  market,
  plan,
  chosen,
  toggle,
}: {
  market: MarketImage;
  plan: Plan | null;
  chosen: ReadonlySet<number>;
  toggle: (id: number) => void;
}) {
  return (
    <table className={css.runners}>
      <thead>
        <tr>
          <th scope="col">{t`Selection`}</th>
          <th scope="col">{t`Odds`}</th>
          <th scope="col">{t`Stake`}</th>
          <th scope="col">{t`Profit`}</th>
        </tr>
      </thead>
      <tbody>
        {market.runners
          .filter(({ status }) => status !== 'REMOVED')
          .map((runner) => {
            const stake = plan?.stakes.find(({ runnerId }) => runnerId === runner.id);
            const result = plan?.results.find(({ runnerId }) => runnerId === runner.id);
            const price = stake?.price ?? runner.back[0]?.[0];
            return (
              <tr key={runner.id}>
                <th scope="row">
                  <Checkbox checked={chosen.has(runner.id)} onChange={() => toggle(runner.id)}>
                    {named(runner.name)}
                  </Checkbox>
                </th>
                <td>{price === undefined ? '\u2013' : priceText(market.kind, price)}</td>
                <td>{stake ? formatStake(stake.sizeMinor) : '\u2013'}</td>
                <td>{result ? <SignedMoney minor={result.netMinor} /> : '\u2013'}</td>
              </tr>
            );
          })}
      </tbody>
    </table>
  );
}

function Sums({ plan: { totalMinor, results } }: { plan: Plan }) {
  return (
    <>
      <SlipSum
        rows={[
          { label: t`Profit, whichever of them wins`, minor: Math.min(...results.map(({ netMinor }) => netMinor)) },
          { label: t`If none of them wins`, minor: -totalMinor },
        ]}
      />
      <p className="t3 fs-12">{t`Taken at these prices or better, all of them or none.`}</p>
    </>
  );
}
