import { between, CALLS, eq, inArr, PAGE } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { readFile, useCall } from '../../api/api.ts';
import { sportName } from '../../platform/sports.ts';
import { useSession } from '../../session/session.ts';
import { IconHistory } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { EmptyState } from '../../ui/note.tsx';
import { usePages } from '../../ui/pagination.tsx';
import { betColumns, betTotals } from './bet-columns.tsx';
import { saveBlob } from './csv.ts';
import { bounds, FilterChoice, FilterForm, lastWeek, sportChoice, useFilter } from './date-filter.tsx';
import { reader } from './export.tsx';
import { Report, ReportTable } from './report.tsx';

const resultChoice = () => ({ all: t`All results`, WIN: t`Won`, LOSS: t`Lost`, VOID: t`Void`, UNDECLARE: t`Deleted` });
const SETTLED = ['WIN', 'LOSS', 'TIE', 'VOID', 'UNDECLARE'];

const start = () => ({ ...lastWeek(), sport: '', result: 'all' as keyof ReturnType<typeof resultChoice> });

/** Bet history: settled bets, newest first. */
export function Screen() {
  const userId = useSession()?.userId ?? 0;
  const filter = useFilter(start);
  const { sport, result, ...days } = filter.shown;
  const results = resultChoice();
  const { from, to } = bounds(days);
  const query = {
    result: result === 'all' ? inArr(SETTLED) : eq(result),
    'betPlaced.createdAt': between(from, to),
    createBy: eq(userId),
    sort: 'betPlaced.createdAt:DESC',
    ...(sport ? { 'betPlaced.eventType': eq(sport) } : {}),
  };
  const pages = usePages(query, PAGE.statement);
  const read = useCall(
    CALLS.bets.list,
    { query: { ...query, page: String(pages.page), limit: String(pages.limit) } },
    { keep: true, enabled: userId > 0 },
  );
  const { sort: _, ...filters } = query;
  const save = async () =>
    saveBlob('bet-history.csv', await readFile(CALLS.bets.file, { query: { ...filters, ...reader() } }));
  return (
    <Report
      title={t`Bet history`}
      file={{ save, empty: !read.data?.total }}
      filter={
        <FilterForm filter={filter} chosen={[sport && sportName(sport), result === 'all' ? '' : results[result]]}>
          <FilterChoice
            label={t`Sport`}
            value={sport}
            options={sportChoice()}
            onChange={(next) => filter.choose({ sport: next })}
          />
          <FilterChoice
            label={t`Result`}
            value={result}
            options={results}
            onChange={(next) => filter.choose({ result: next })}
          />
        </FilterForm>
      }
      days={days}
      read={read}
      failed={t`Your bets did not load.`}
    >
      <ReportTable
        caption={t`Bet history`}
        columns={betColumns(true)}
        rowKey={(bet) => String(bet.id)}
        read={read}
        pages={pages}
        total={({ totals }) => ({ ...betTotals(totals), profit: <SignedMoney minor={totals.profitLoss} /> })}
        empty={
          <EmptyState icon={IconHistory} title={t`No settled bets in this time`}>
            {t`Choose other dates, or come back when a bet is settled.`}
          </EmptyState>
        }
      />
    </Report>
  );
}
