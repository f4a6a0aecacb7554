import type { CALLS, ReplyOf } from '@fairgame/contract';
import { plural, t } from '@lingui/core/macro';
import { formatMoney, formatSigned, shortDayText } from '../../platform/format.ts';
import { sportName } from '../../platform/sports.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { Kpi, Kpis, Panel } from '../../ui/panel.tsx';
import { SportIcon } from '../../ui/sport-icon.tsx';
import { DayBars, DayBarsKey } from './day-bars.tsx';
import panelCss from '../../ui/panel.module.css';
import css from './reports.module.css';

export type ProfitLoss = ReplyOf<typeof CALLS.bets.profitLoss>;

/** The sums of the period, by day and by sport. */
export function Summary({ report }: { report: ProfitLoss }) {
  const commission = report.rows.reduce((sum, row) => sum + row.commission, 0);
  const bets = report.rows.reduce((sum, row) => sum + row.totalBet, 0);
  const sports = report.rows.length;
  const ranked = [...report.days].sort((a, b) => b.profitLoss - a.profitLoss);
  const best = ranked[0];
  const worst = ranked.at(-1);
  const widest = Math.max(1, ...report.rows.map((row) => Math.abs(row.profitLoss)));
  return (
    <>
      <section className={panelCss.panel} aria-label={t`Totals`}>
        <Kpis>
          <Kpi label={t`Net result`} note={t`After commission`}>
            <SignedMoney minor={report.total} />
          </Kpi>
          <Kpi label={t`Commission`} note={t`On net market wins`}>
            {formatMoney(Math.abs(commission))}
          </Kpi>
          <Kpi label={t`Bets settled`} note={plural(sports, { one: 'In # sport', other: 'In # sports' })}>
            {bets}
          </Kpi>
          {best && worst && (
            <Kpi
              label={t`Best and worst day`}
              note={t`Worst ${{ result: formatSigned(worst.profitLoss, 0) }} on ${{ day: shortDayText(worst.day) }}`}
            >
              <SignedMoney minor={best.profitLoss} />
            </Kpi>
          )}
        </Kpis>
      </section>
      <div className={css.charts}>
        <Panel title={t`By day`} flush={false} end={<DayBarsKey />}>
          <DayBars days={report.days} />
        </Panel>
        <Panel title={t`By sport`} flush={false}>
          <ul className={css.sports}>
            {report.rows.map((row) => (
              <li key={row.id}>
                <SportIcon sport={row.eventType} size={16} className="t3" />
                <span className="clip">{sportName(row.eventType)}</span>
                <svg viewBox="-50 0 100 14" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    className={row.profitLoss < 0 ? css.loss : css.gain}
                    x={row.profitLoss < 0 ? -(Math.abs(row.profitLoss) / widest) * 48 : 0}
                    y="1"
                    width={(Math.abs(row.profitLoss) / widest) * 48}
                    height="12"
                  />
                  <path d="M0 0V14" />
                </svg>
                <SignedMoney minor={row.profitLoss} />
              </li>
            ))}
          </ul>
        </Panel>
      </div>
    </>
  );
}
