import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { ApiError, api, refresh, refreshBets } from '../../api/api.ts';
import { say } from '../../platform/language.ts';
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
  const until = momentText(chosen.until);
  const start = say(COOL_OFF_NAMES[chosen.length].start);
  return (
    <Panel title={t`Take a break`} flush={false}>
      <div className="stack g-5">
        <p className={css.words}>
          {t`A cool-off locks betting for the time you pick. It ends by itself and cannot be cut short.`}
        </p>
        <div className={checkboxCss.options} role="radiogroup" aria-label={t`Length of the break`}>
          {coolOffs.map((one) => (
            <RadioCard
              key={one.length}
              name="cool-off"
              checked={one.length === chosen.length}
              onChange={() => setLength(one.length)}
              title={say(COOL_OFF_NAMES[one.length].name)}
              note={untilText(one)}
            />
          ))}
        </div>
        <Button size="lg" onClick={() => setAsking(true)}>
          {start}
        </Button>
      </div>
      {asking && (
        <Confirm
          title={t`${start}?`}
          action={start}
          onClose={() => setAsking(false)}
          send={() => api(CALLS.protection.coolOff, { body: { length: chosen.length } })}
        >
          <p>
            <Trans>
              Betting is off from now until <b className="num">{until}</b>. This cannot be undone or cut short.
            </Trans>
          </p>
          <WhatHappens />
        </Confirm>
      )}
    </Panel>
  );
}

function untilText({ length, until: iso }: ProtectionStatus['coolOffs'][number]): string {
  const until = length === '24h' ? momentText(iso) : dayText(iso);
  return t`until ${until}`;
}

/** Closing the account to betting for months: two steps, no persuasion, help beside it. */
export function SelfExclusion({ status }: { status: ProtectionStatus }) {
  const { exclusions, exclusionEndsItself, restriction } = status;
  const [months, setMonths] = useState('6');
  const [asking, setAsking] = useState(false);
  const [sure, setSure] = useState(false);
  const chosen = exclusions.find((one) => String(one.months) === months) ?? exclusions[0];
  if (!chosen) return null;
  const until = chosen.until === null ? null : momentText(chosen.until);
  const span = monthsText(chosen.months);
  return (
    <Panel title={t`Self-exclusion`} flush={false}>
      <div className="stack g-5">
        <p className={css.words}>
          {t`Close your account to betting for 6 months or longer. Before it starts we show what happens to open bets and your balance.`}
        </p>
        <div className={css.months}>
          <Choice
            label={t({ message: 'For', context: 'how long' })}
            items={exclusions.map((one) => ({ id: String(one.months), label: monthsText(one.months) }))}
            value={months}
            onChange={setMonths}
          />
        </div>
        <Button kind="dangerline" size="lg" icon={IconLock} onClick={() => setAsking(true)}>
          {restriction?.state === 'self-excluded' ? t`Make it longer` : t`Continue to self-exclusion`}
        </Button>
      </div>
      {asking && (
        <Confirm
          title={t`Self-exclusion`}
          action={chosen.months === 0 ? t`Exclude me without an end` : t`Exclude me for ${span}`}
          danger
          locked={!sure}
          onClose={() => {
            setAsking(false);
            setSure(false);
          }}
          send={() => api(CALLS.protection.selfExclude, { body: { months: chosen.months } })}
        >
          <p>
            {until === null ? (
              t`Betting is off from now on, without an end. After 6 months you can ask to come back.`
            ) : (
              <>
                <Trans>
                  Betting is off from now until <b className="num">{until}</b>.
                </Trans>{' '}
                {exclusionEndsItself
                  ? t`It ends by itself then, not sooner.`
                  : t`It does not end by itself: after that day, contact support.`}
              </>
            )}
          </p>
          <WhatHappens />
          <Checkbox checked={sure} onChange={setSure}>
            {t`I understand that this cannot be undone or cut short`}
          </Checkbox>
        </Confirm>
      )}
    </Panel>
  );
}

function WhatHappens() {
  return (
    <ul className={css.list}>
      <li>{t`Unmatched bets are cancelled at once; their money is free again.`}</li>
      <li>{t`Matched bets stand and are settled as usual.`}</li>
      <li>{t`Your balance stays yours. Support pays it out when you ask.`}</li>
      <li>{t`You can still sign in to see your history.`}</li>
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
      setRefused(error instanceof ApiError ? error.message : t`Nothing was changed.`);
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
            {t`Cancel`}
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
