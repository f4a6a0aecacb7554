import { t } from '@lingui/core/macro';
import { useMemo } from 'react';
import type { Fields, Scope } from './fields.tsx';
import { type Section, sectionsOf } from './grid.ts';
import { Matrix, Pair, Rows } from './odds-rows.tsx';
import { Blocks, Picker, Zones } from './odds-zones.tsx';

/**
 * The fields of a table below its felt, laid out by its descriptor: those that are not on the felt itself, and `most` sections
 * of them where there is little room.
 */
export function OddsGrid({
  info,
  fields,
  onFelt,
  most,
}: {
  info: Scope['info'];
  fields: Fields;
  onFelt: ReadonlySet<number>;
  most?: number | undefined;
}) {
  const sections = useMemo(
    () =>
      sectionsOf(info).filter(
        ({ kind, ...rest }) => !(kind === 'zones' && 'cells' in rest && rest.cells.every(({ id }) => onFelt.has(id))),
      ),
    [info, onFelt],
  );
  return (
    <>
      {sections.slice(0, most).map((section, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a table never change their order
        <SectionBox key={at} section={section} info={info} first={at === 0} fields={fields} />
      ))}
    </>
  );
}

function SectionBox({
  section,
  info,
  first,
  fields,
}: {
  section: Section;
  info: Scope['info'];
  first: boolean;
  fields: Fields;
}) {
  switch (section.kind) {
    case 'pair':
      return <Pair section={section} info={info} title={first ? t`Markets` : t`More bets`} fields={fields} />;
    case 'matrix':
      return <Matrix section={section} info={info} fields={fields} />;
    case 'rows':
      return <Rows section={section} fields={fields} />;
    case 'picks':
      return <Picker rows={section.rows} title={section.group} fields={fields} />;
    case 'zones':
      return <Zones section={section} fields={fields} />;
    default:
      return <Blocks section={section} fields={fields} />;
  }
}
