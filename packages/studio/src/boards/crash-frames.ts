/** The flight as it is drawn by hand at every frame while it runs, from the provider's clock, so that nothing jumps. */
import { useEffect, useRef, useState } from 'react';
import type { SharedBoardProps } from '../page/board.ts';
import { type CrashView, type CrashWager, msUntil, timesAfter, type Variant } from '../rules/crash.ts';
import { angleAt, GROUND, pathOf, type Size, scaleOf } from './crash-scale.ts';

/** What is drawn on, each mounted by the board. */
function useParts() {
  return {
    line: useRef<SVGPathElement>(null),
    area: useRef<SVGPathElement>(null),
    head: useRef<SVGGElement>(null),
    marks: useRef<SVGGElement>(null),
    flags: useRef<SVGGElement>(null),
    sky: useRef<HTMLDivElement>(null),
    figure: useRef<HTMLElement>(null),
  };
}
type Parts = ReturnType<typeof useParts>;

interface Ground {
  readonly variant: Variant;
  readonly scale: 'linear' | 'log';
  readonly size: Size;
}

/** The parts of a flight, where it stands now; drawn again at every frame. */
export function useFlight(props: {
  variant: Variant;
  skin: { readonly scale: 'linear' | 'log' };
  live: SharedBoardProps<CrashWager, CrashView>['live'];
  skewMs: number;
  motion: boolean;
  crash: number | null;
}): Parts & { size: Size } {
  const { variant, skin, live, motion, crash } = props;
  const { phase, phaseStartedAt } = live;
  const { line, area, head, marks, flags, sky, figure } = useParts();
  const skew = useRef(props.skewMs);
  skew.current = props.skewMs;
  const eased = useRef(props.skewMs);
  const size = useSize(sky);

  useEffect(() => {
    const parts = { line, area, head, marks, flags, sky, figure };
    const draw = (elapsedMs: number) => drawAt(parts, { variant, scale: skin.scale, size }, elapsedMs);
    const tell = (hundredths: number) => tellAt(parts, hundredths);
    if (phase === 'bets') {
      draw(0);
      return;
    }
    if (crash !== null) {
      draw(crash === 100 ? 0 : msUntil(variant, crash));
      tell(crash);
      return;
    }
    if (!motion) {
      // Without motion the figure alone counts, a few times a second.
      draw(0);
      const timer = setInterval(() => tell(timesAfter(variant, Date.now() + skew.current - phaseStartedAt)), 250);
      return () => clearInterval(timer);
    }
    let shown = 0;
    const step = () => {
      // A better guess of the clock moves in softly; time never runs back.
      eased.current += (skew.current - eased.current) * 0.08;
      shown = Math.max(shown, Date.now() + eased.current - phaseStartedAt, 0);
      draw(shown);
      tell(timesAfter(variant, shown));
      frame = requestAnimationFrame(step);
    };
    eased.current = skew.current;
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [variant, skin, phase, phaseStartedAt, crash, motion, size, line, area, head, marks, flags, sky, figure]);

  return { line, area, head, marks, flags, sky, figure, size };
}

function useSize(sky: Parts['sky']): Size {
  const [size, setSize] = useState<Size>({ wide: 640, high: 400 });
  useEffect(() => {
    const element = sky.current;
    if (!element) return;
    const watcher = new ResizeObserver(() =>
      setSize({ wide: element.clientWidth || 1, high: element.clientHeight || 1 }),
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [sky]);
  return size;
}

function drawAt({ line, area, head, marks, flags, sky }: Parts, ground: Ground, elapsedMs: number): void {
  const { variant, size } = ground;
  const small = Math.min(1, Math.max(0.55, size.wide / 900));
  const now = Math.exp(elapsedMs * Math.log(variant.growth)) * 100;
  const scale = scaleOf(ground.scale, size, elapsedMs, Math.min(now, variant.cap));
  const path = pathOf(variant, scale, elapsedMs);
  line.current?.setAttribute('d', path);
  area.current?.setAttribute('d', `${path}L${scale.x(elapsedMs)} ${size.high + 9}L22 ${size.high + 9}Z`);
  const slope = angleAt(variant, scale, elapsedMs);
  head.current?.setAttribute(
    'transform',
    `translate(${scale.x(elapsedMs)} ${scale.y(now)}) rotate(${slope}) scale(${small})`,
  );
  for (const mark of marks.current?.children ?? []) {
    const at = Number((mark as SVGElement).dataset.at);
    const y = scale.y(at);
    mark.setAttribute('transform', `translate(0 ${y})`);
    const inside = y > 20 && y < size.high - GROUND + 1 && scale.shows(at);
    mark.setAttribute('visibility', inside ? 'visible' : 'hidden');
  }
  for (const flag of flags.current?.children ?? []) {
    const at = Number((flag as SVGElement).dataset.at);
    const y = scale.y(at);
    const from = Math.min(elapsedMs, Math.log(at / 100) / Math.log(variant.growth));
    flag.setAttribute('transform', `translate(${scale.x(from)} ${y}) scale(${small})`);
  }
  sky.current?.style.setProperty('--flown', `${(elapsedMs / 1000).toFixed(3)}`);
}

function tellAt({ figure }: Parts, hundredths: number): void {
  const text = `${(hundredths / 100).toLocaleString('en', { minimumFractionDigits: 2 })}×`;
  if (figure.current && figure.current.textContent !== text) figure.current.textContent = text;
}
