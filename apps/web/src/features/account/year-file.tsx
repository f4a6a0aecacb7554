import { CALLS } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { readFile } from '../../api/api.ts';
import { saveBlob } from './csv.ts';
import { localDay } from './days.ts';
import { ExportButton, reader } from './export.tsx';
import dataTableCss from '../../ui/data-table.module.css';

const YEARS = 5;

/** The statement of a whole year as a PDF. */
export function YearFile({ userId }: { userId: number }) {
  const now = Number(localDay(0).slice(0, 4));
  const [year, setYear] = useState(String(now));
  const save = async () => {
    const query = { year, ...reader() };
    saveBlob(
      `statement-${year}.pdf`,
      await readFile(CALLS.account.transactionYear, { params: { userId: String(userId) }, query }),
    );
  };
  return (
    <>
      <select
        className={dataTableCss.pageSize}
        aria-label={t`Year of the statement`}
        value={year}
        onChange={(event) => setYear(event.target.value)}
      >
        {Array.from({ length: YEARS }, (_, back) => String(now - back)).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <ExportButton save={save} disabled={userId === 0}>
        {t`Year as PDF`}
      </ExportButton>
    </>
  );
}
