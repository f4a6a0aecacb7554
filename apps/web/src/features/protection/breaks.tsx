import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { useState } from 'react';
import { ApiError, api, refresh, refreshBets } from '../../api/api.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, RadioCard } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { IconLock } from '../../ui/icons.ts';
import { Modal } from '../../ui/modal.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Choice } from '../../ui/tabs.tsx';
import { COOL_OFF_NAMES, dayText, momentText, monthsText } from './words.ts';
import checkboxCss from '../../ui/checkbox.module.css';
import css from './protection.module.css';

/** After any change of what the account may do. */
export function refreshStanding(): void {
  refresh(CALLS.protection.status, CALLS.account.profile);
  refreshBets();
}

/** A short break: choose, look at the exact end, confirm. */
export function CoolOff({ status }: { status: ProtectionStatus }) {
  const { coolOffs, restriction } = status;
  const [length, setLength] = useState(coolOffs[0]?.length);
  const [asking, setAsking] = useState(false);
  const chosen = coolOffs.find((one) => one.length === length) ?? coolOffs[0];
  if (!chosen || restriction?.state === 'self-excluded') return null;
  const { verb } = COOL_OFF_NAMES[chosen.length];
  return (
    <Panel title="Take a break" flush={false}>
      <div className="stack g-5">
        <p className={css.words}>
          A cool-off locks betting for the time you pick. It ends by itself and cannot be cut short.
        </p>
        <div className={checkboxCss.options} role="radiogroup" aria-label="Length of the break">
          {coolOffs.map((one) => (
            <RadioCard
              key={one.length}
              name="cool-off"
              checked={one.length === chosen.length}
              onChange={() => setLength(one.length)}
              title={COOL_OFF_NAMES[one.length].name}
              note={`until ${one.length === '24h' ? momentText(one.until) : dayText(one.until)}`}
            />
          ))}
        </div>
        <Button size="lg" onClick={() => setAsking(true)}>
          Start {verb}
        </Button>
      </div>
      {asking && (
        <Confirm
          title={`Start ${verb}?`}
          action={`Start ${verb}`}
          onClose={() => setAsking(false)}
          send={() => api(CALLS.protection.coolOff, { body: { length: chosen.length } })}
        >
          <p>
            Betting is off from now until <b className="num">{momentText(chosen.until)}</b>. This cannot be undone or
            cut short.
          </p>
          <WhatHappens />
        </Confirm>
      )}
    </Panel>
  );
}

/** Closing the account to betting for months: two steps, no persuasion, help beside it. */
export function SelfExclusion({ status }: { status: ProtectionStatus }) {
  const { exclusions, exclusionEndsItself, restriction } = status;
  const [months, setMonths] = useState('6');
  const [asking, setAsking] = useState(false);
  const [sure, setSure] = useState(false);
  const chosen = exclusions.find((one) => String(one.months) === months) ?? exclusions[0];
  if (!chosen) return null;
  return (
    <Panel title="Self-exclusion" flush={false}>
      <div className="stack g-5">
        <p className={css.words}>
          Close your account to betting for 6 months or longer. Before it starts we show what happens to open bets and
          your balance.
        </p>
        <div className={css.months}>
          <Choice
            label="For"
            items={exclusions.map((one) => ({ id: String(one.months), label: monthsText(one.months) }))}
            value={months}
            onChange={setMonths}
          />
        </div>
        <Button kind="dangerline" size="lg" icon={IconLock} onClick={() => setAsking(true)}>
          {restriction?.state === 'self-excluded' ? 'Make it longer' : 'Continue to self-exclusion'}
        </Button>
      </div>
      {asking && (
        <Confirm
          title="Self-exclusion"
          action={chosen.months === 0 ? 'Exclude me without an end' : `Exclude me for ${monthsText(chosen.months)}`}
          danger
          locked={!sure}
          onClose={() => {
            setAsking(false);
            setSure(false);
          }}
          send={() => api(CALLS.protection.selfExclude, { body: { months: chosen.months } })}
        >
          <p>
            {chosen.until === null ? (
              'Betting is off from now on, without an end. After 6 months you can ask to come back.'
            ) : (
              <>
                Betting is off from now until <b className="num">{momentText(chosen.until)}</b>.{' '}
                {exclusionEndsItself
                  ? 'It ends by itself then, not sooner.'
                  : 'It does not end by itself: after that day, contact support.'}
              </>
            )}
          </p>
          <WhatHappens />
          <Checkbox checked={sure} onChange={setSure}>
            I understand that this cannot be undone or cut short
          </Checkbox>
        </Confirm>
      )}
    </Panel>
  );
}

function WhatHappens() {
  return (
    <ul className={css.list}>
      <li>Unmatched bets are cancelled at once; their money is free again.</li>
      <li>Matched bets stand and are settled as usual.</li>
      <li>Your balance stays yours. Support pays it out when you ask.</li>
      <li>You can still sign in to see your history.</li>
    </ul>
  );
}

function Confirm({
  title,
  action,
  danger = false,
  locked = false,
  onClose,
  send,
  children,
}: {
  title: string;
  action: string;
  danger?: boolean;
  locked?: boolean;
  onClose: () => void;
  send: () => Promise<unknown>;
  children: React.ReactNode;
}) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const go = async () => {
    setBusy(true);
    setRefused(null);
    try {
      await send();
      refreshStanding();
      onClose();
    } catch (error) {
      setRefused(error instanceof ApiError ? error.message : 'Nothing was changed.');
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      onClose={onClose}
      title={title}
      width="s"
      footer={
        <>
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind={danger ? 'danger' : 'pri'} busy={busy} disabled={locked} onClick={() => void go()}>
            {action}
          </Button>
        </>
      }
    >
      <div className={cx('stack g-5', css.words)}>
        {children}
        {refused && (
          <Note tone="err" alert>
            {refused}
          </Note>
        )}
      </div>
    </Modal>
  );
}
