import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { api, refresh, useCall } from '../../api/api.ts';
import { formatDuration, formatStake, formatTime } from '../../platform/format.ts';
import { HELP_ORGANISATIONS } from '../../platform/help.ts';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconHeadset, IconLifebuoy } from '../../ui/icons.ts';
import { Money, SignedMoney } from '../../ui/money.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { Kpi, Kpis, Panel } from '../../ui/panel.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { Choice } from '../../ui/tabs.tsx';
import { CoolOff, SelfExclusion } from './breaks.tsx';
import { Limits } from './limits.tsx';
import { Standing } from './standing.tsx';
import { minutesText } from './words.ts';
import buttonCss from '../../ui/button.module.css';
import dataCss from '../../ui/data.module.css';
import panelCss from '../../ui/panel.module.css';
import shellCss from '../../ui/shell.module.css';
import css from './protection.module.css';

/** Limits, reality check, breaks and self-exclusion on one page (OPN-17, mock 14). */
export function Screen() {
  const { data, isError, isFetching, refetch } = useCall(CALLS.protection.status, {});
  return (
    <>
      <div className={shellCss.pageHead}>
        <div>
          <h1>{t`Player protection`}</h1>
          <p className={cx('t2', css.lead)}>
            {plural(
              { count: data?.raiseDays ?? 7 },
              {
                one: 'Set the edges of your play. Lowering a limit works at once; raising one takes # day.',
                other: 'Set the edges of your play. Lowering a limit works at once; raising one takes # days.',
              },
            )}
          </p>
        </div>
        <a
          className={cx(buttonCss.button, buttonCss.secondary)}
          href="/responsible-gaming#section-9"
          target="_blank"
          rel="noopener"
        >
          <Icon of={IconHeadset} size={17} />
          {t`Talk to someone`}
        </a>
      </div>
      {data ? (
        <Body status={data} />
      ) : isError ? (
        <ErrorNote title={t`Your limits could not be loaded.`} busy={isFetching} onRetry={() => void refetch()}>
          {t`What is set stays in force.`}
        </ErrorNote>
      ) : (
        <section className={panelCss.panel}>
          <SkeletonRows rows={6} kind="table" />
        </section>
      )}
    </>
  );
}

function Body({ status }: { status: ProtectionStatus }) {
  const { session, today } = status;
  const monthLimit = status.limits.find(({ kind, span }) => kind === 'deposit' && span === 'month');
  const started = formatTime(Date.parse(session.startedAt));
  const limit = today.limitMinutes === null ? null : formatDuration(today.limitMinutes * 60_000);
  const deposits = monthLimit && formatStake(monthLimit.amountMinor);
  return (
    <>
      <Standing status={status} />
      <section className={panelCss.panel} aria-label={t`Your play`}>
        <Kpis>
          <Kpi label={t`This session`} note={t`started ${started}`}>
            {formatDuration(session.elapsedMs)}
          </Kpi>
          <Kpi label={t`Today`} note={limit === null ? t`time signed in` : t`of ${limit} set`}>
            {formatDuration(today.playedMs)}
          </Kpi>
          <Kpi label={t`This week, net`} note={t`settled bets`}>
            <SignedMoney minor={status.weekNetMinor} />
          </Kpi>
          <Kpi label={t`This month, deposits`} note={deposits ? t`of ${deposits} you set` : t`no limit set`}>
            <Money minor={status.monthDepositsMinor} />
          </Kpi>
        </Kpis>
      </section>
      <div className={cx(dataCss.columns, dataCss.columnsUneven)}>
        <div className={cx('stack', css.column)}>
          <Limits status={status} />
          <RealitySetting status={status} />
        </div>
        <div className={cx('stack', css.column)}>
          <CoolOff status={status} />
          <SelfExclusion status={status} />
          <Note icon={IconLifebuoy}>
            <Trans>
              <b>Free and private help.</b> If play stops being fun, <HelpLink of={HELP_ORGANISATIONS[0]} /> and{' '}
              <HelpLink of={HELP_ORGANISATIONS[1]} /> are open day and night.
            </Trans>
          </Note>
        </div>
      </div>
    </>
  );
}

function HelpLink({ of: { name, url } }: { of: (typeof HELP_ORGANISATIONS)[number] }) {
  return (
    <a className="link" href={url} target="_blank" rel="noopener noreferrer">
      {name}
    </a>
  );
}

function RealitySetting({ status }: { status: ProtectionStatus }) {
  const { choices, minutes } = status.reality;
  const choose = async (value: string) => {
    await api(CALLS.protection.setReality, { body: { minutes: Number(value) } }).catch(() => null);
    refresh(CALLS.protection.status);
  };
  return (
    <Panel title={t`Reality check`} flush={false}>
      <div className={css.reality}>
        <p className={css.words}>
          {t`We pause the screen and show your time and your result. You choose to go on or stop.`}
        </p>
        <Choice
          label={t({ message: 'Every', context: 'how often' })}
          items={[...choices].sort((a, b) => a - b).map((one) => ({ id: String(one), label: minutesText(one) }))}
          value={String(minutes)}
          onChange={(value) => void choose(value)}
        />
      </div>
    </Panel>
  );
}
