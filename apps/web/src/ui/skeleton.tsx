import { useEffect, useState } from 'react';
import css from './market-table.module.css';
import overlayCss from './overlay.module.css';
import priceCss from './price.module.css';

/** True once `on` has lasted `ms`: skeletons wait 150 ms, so that a fast answer never flashes one. */
export function useLate(on: boolean, ms = 150): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) {
      setLate(false);
      return;
    }
    const timer = setTimeout(() => setLate(true), ms);
    return () => clearTimeout(timer);
  }, [on, ms]);
  return on && late;
}

/** A grey block of the size of what will come, in px or a CSS length. */
export function Skeleton({ w, h }: { w: number | string; h: number | string }) {
  return <span className={overlayCss.skeleton} style={{ width: w, height: h }} aria-hidden="true" />;
}

const WIDTHS = [110, 86, 130, 98, 120];

/** Rows in the final geometry: of a market, a list of events, or a table. */
export function SkeletonRows({ rows = 3, kind = 'market' }: { rows?: number; kind?: 'market' | 'list' | 'table' }) {
  const late = useLate(true);
  if (!late) return <div aria-busy="true" />;
  return (
    <div aria-busy="true">
      {Array.from({ length: rows }, (_, i) => {
        const width = WIDTHS[i % WIDTHS.length]!;
        if (kind === 'table') {
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
            <div className={css.line} key={i}>
              <Skeleton w={90} h={13} />
              <span className="grow">
                <Skeleton w={width * 1.6} h={13} />
              </span>
              <Skeleton w={70} h={13} />
            </div>
          );
        }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
          <div className={css.line} key={i}>
            <div className={css.runner}>
              {kind === 'market' && <Skeleton w={26} h={26} />}
              <div className="stack g-3">
                <Skeleton w={width} h={13} />
                <Skeleton w={64} h={10} />
              </div>
            </div>
            <div className={priceCss.cells}>
              <Skeleton w="var(--px-w)" h="var(--px-h)" />
              <Skeleton w="var(--px-w)" h="var(--px-h)" />
            </div>
          </div>
        );
      })}
    </div>
  );
}
