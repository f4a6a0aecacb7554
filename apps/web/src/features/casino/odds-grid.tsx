import type { TableInfo } from '@fairgame/casino';
import { useMemo } from 'react';
import { useBettingOff } from '../../slip/standing.ts';
import { oddsBySelection, quoteOf, type Section, sectionsOf } from './grid.ts';
import type { Mine, Shared } from './odds-cells.tsx';
import { Matrix, Pair, Rows } from './odds-rows.tsx';
import { Chips, Picker, Zones } from './odds-zones.tsx';
import { pressCell } from './press.ts';
import type { TableNow } from './use-table.ts';

interface GridProps {
  now: TableNow;
  info: TableInfo;
  mine: ReadonlyMap<number, Mine>;
}

/** The bets of a table, laid out by its descriptor. While the round takes no bets, figures are covered. */
export function OddsGrid({ now, info, mine }: GridProps) {
  const sections = useMemo(() => sectionsOf(info), [info]);
  const rows = useMemo(() => oddsBySelection(now.round.odds), [now.round.odds]);
  const off = useBettingOff() !== null;
  const open = now.round.phase === 'OPEN' && now.health === 'live' && !off;
  const shared: Shared = {
    open,
    quote: (selection, side) => quoteOf(rows.get(selection.id), side),
    mine: (selection) => {
      const runnerId = rows.get(selection.id)?.[0]?.runnerId;
      return runnerId === undefined ? undefined : mine.get(runnerId);
    },
    end: (selection) => rows.get(selection.id)?.[0]?.end ?? null,
    press: (selection, side, quote, pick) => pressCell(now, info, selection, side, quote, pick),
    betId: now.round.betId,
    veil: off ? 'Betting is off' : veilWords(now),
  };
  return (
    <>
      {sections.map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a table never change their order
        <SectionBox key={at} section={section} info={info} first={at === 0} shared={shared} />
      ))}
    </>
  );
}

const veilWords = ({ round, health }: TableNow): string =>
  health !== 'live'
    ? 'Waiting for the table'
    : round.phase === 'RESULT' || round.phase === 'VOID'
      ? 'Round over'
      : round.phase === 'IDLE'
        ? 'Waiting for the next round'
        : 'Bets closed';

function SectionBox({
  section,
  info,
  first,
  shared,
}: {
  section: Section;
  info: TableInfo;
  first: boolean;
  shared: Shared;
}) {
  switch (section.kind) {
    case 'pair':
      return <Pair section={section} info={info} title={first ? 'Markets' : 'More bets'} shared={shared} />;
    case 'matrix':
      return <Matrix section={section} info={info} shared={shared} />;
    case 'rows':
      return section.rows[0]?.pick ? (
        <Picker rows={section.rows} title={section.group} shared={shared} />
      ) : (
        <Rows section={section} shared={shared} />
      );
    case 'zones':
      return <Zones section={section} shared={shared} />;
    default:
      return <Chips section={section} shared={shared} />;
  }
}
