/** Quartz Hollow: a cave with crystals. */
import { soloBoard } from '../page/board.ts';
import type { SlotView, SlotWager } from '../rules/slots.ts';
import { clusterShape } from '../rules/slots-cluster.ts';
import { hollowArt } from './slot-hollow.tsx';
import { type SlotLook, SlotMachine, type SlotProps } from './slots.tsx';
import css from './slots-scene.module.css';

const scene = (
  <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
    <path
      className={css.far}
      d="M0 0h400v60l-24 30-18-40-30 60-26-70-34 40-20-50-40 30-30-40-28 50-30-40-26 60-34-70-22 60-26-40-22 50-20-30Z"
    />
    <g className={css.crystals}>
      <path d="M20 300l10-70 16-18 14 22 4 66ZM62 300l8-44 12-12 10 16 2 40ZM330 300l6-60 14-20 16 18 8 62ZM300 300l4-36 10-12 12 14 2 34Z" />
    </g>
    <path className={css.near} d="M0 282l40-12 60 10 70-14 80 12 70-12 80 14v20H0Z" />
  </svg>
);

const look: SlotLook = {
  theme: 'hollow',
  shape: clusterShape,
  art: hollowArt,
  strips: [],
  scene,
  stepName: (step, index) =>
    step.kind === 'fall' ? `Fall ${index}, pays ${step.multiplier} times` : 'Groups of five or more',
  hints: [
    'Stones that touch side by side or one above the other make a group; five or more of a kind pay and go.',
    'Every fall pays one time more: 2, 3, 4, then always 5 times.',
  ],
};

function QuartzHollow(props: SlotProps) {
  return <SlotMachine look={look} {...props} />;
}

export default soloBoard<SlotWager, SlotView>(QuartzHollow);
