/** Lantern Reef: under water, light from above. */
import { soloBoard } from '../page/board.ts';
import type { SlotView, SlotWager } from '../rules/slots.ts';
import { WAYS, WAYS_STRIPS, waysShape } from '../rules/slots-ways.ts';
import { reefArt, reefDefs } from './slot-reef.tsx';
import { type SlotLook, SlotMachine, type SlotProps } from './slots.tsx';
import css from './slots-scene.module.css';

const scene = (
  <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <g className={css.rays}>
      <path d="M60 0h40L60 300H-20ZM170 0h30l10 300h-80ZM270 0h36l90 300h-90Z" />
    </g>
    <path className={css.far} d="M0 236c50-30 90-6 130-20s70-40 120-18 80 0 150-20v122H0Z" />
    <g className={css.weed}>
      <path d="M28 300c-14-34 14-48 0-92M48 300c12-26-10-40 2-70M352 300c14-36-14-50 2-96M374 300c-10-24 12-36 2-66" />
    </g>
    <path className={css.near} d="M0 276c60-22 120 4 190-8s140-20 210 2v30H0Z" />
  </svg>
);

const look: SlotLook = {
  theme: 'reef',
  shape: waysShape,
  art: reefArt,
  defs: reefDefs,
  strips: WAYS_STRIPS,
  scene,
  stepName: (step, index, of) => (step.kind === 'free' ? `Free dive ${index} of ${of - 1}, double pay` : '243 ways'),
  hints: [
    'Each way pays: the same symbol on neighbouring reels from the left, in any row.',
    'The lantern fish stands for every paying symbol.',
    `${WAYS.pearls} pearls or more give ${WAYS.freeSpins} free dives at double pay.`,
  ],
};

function LanternReef(props: SlotProps) {
  return <SlotMachine look={look} {...props} />;
}

export default soloBoard<SlotWager, SlotView>(LanternReef);
