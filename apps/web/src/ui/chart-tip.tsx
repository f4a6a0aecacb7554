import { type PointerEvent, type RefObject, useEffect, useState } from 'react';
import { cx } from './cx.ts';
import css from './chart.module.css';

/**
 * Where a drawing is read, as `partOf` says it of the pointer (0 its start, 1 its end): under a mouse while that is over it; where a
 * finger pressed or went last until it presses elsewhere.
 */
export function useReading(box: RefObject<HTMLElement | null>, partOf: (place: DOMRect, clientX: number) => number) {
  const [part, setPart] = useState<number | null>(null);
  const read = (event: PointerEvent<SVGSVGElement>) => {
    const now = partOf(event.currentTarget.getBoundingClientRect(), event.clientX);
    setPart(now < 0 || now > 1 ? null : now);
  };
  const isRead = part !== null;
  useEffect(() => {
    if (!isRead) return;
    const elsewhere = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) setPart(null);
    };
    document.addEventListener('pointerdown', elsewhere);
    return () => document.removeEventListener('pointerdown', elsewhere);
  }, [isRead, box]);
  return {
    part,
    handlers: {
      onPointerDown: read,
      onPointerMove: read,
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') setPart(null);
      },
    },
  };
}

/** What a drawing says at the place that is read, beside it on the side that has more room. The first line is the place. */
export function Tip({ at, width, top, lines }: { at: number; width: number; top: number; lines: readonly string[] }) {
  return (
    <div
      className={cx(css.tip, 'num')}
      style={at > width / 2 ? { right: width - at + 10, top } : { left: at + 10, top }}
    >
      {lines.map((text, i) =>
        i === 0 ? (
          <div className="t3" key={text}>
            {text}
          </div>
        ) : (
          <div key={text}>
            <b>{text} </b>
          </div>
        ),
      )}
    </div>
  );
}
