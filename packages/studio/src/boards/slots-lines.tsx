/** Orchard Row: hills and rows of trees. */
import { soloBoard } from '../page/board.ts';
import type { SlotView, SlotWager } from '../rules/slots.ts';
import { LINES, LINES_STRIPS, linesShape, ORCHARD } from '../rules/slots-lines.ts';
import { orchardArt, orchardDefs } from './slot-orchard.tsx';
import { type SlotLook, SlotMachine, type SlotProps } from './slots.tsx';
import css from './slots-scene.module.css';

const TREES = [22, 60, 98, 136, 174, 212, 250, 288, 326, 364];

const scene = (
  <svg viewBox="0 0 400 300" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
    <path className={css.far} d="M0 200c70-50 130-20 190-34s120-50 210-6v140H0Z" />
    <path className={css.mid} d="M0 236c80-26 150-6 210-14s120-22 190-6v84H0Z" />
    <g className={css.trees}>
      {TREES.map((x, i) => (
        <path key={x} d={`M${x} ${252 - (i % 3) * 4}m-13 0a13 15 0 1 1 26 0q0 9-11 10v10h-4v-10q-11-1-11-10Z`} />
      ))}
    </g>
    <path className={css.near} d="M0 274c70-14 140 2 200-4s130-12 200 4v26H0Z" />
  </svg>
);

const look: SlotLook = {
  theme: 'orchard',
  shape: linesShape,
  art: orchardArt,
  defs: orchardDefs,
  strips: LINES_STRIPS,
  scene,
  stepName: (step, index, of) =>
    step.kind === 'free' ? `Free spin ${index} of ${of - 1}, suns in the middle` : `${LINES.length} lines`,
  hints: [
    'A line pays its longest run from the left; all lines are added.',
    'The sun stands for every symbol but the basket.',
    `A basket on reels 1, 3 and 5 pays ${ORCHARD.basketTimes / 100} times the stake and gives ${ORCHARD.freeSpins} free spins with the middle reel all suns.`,
  ],
};

function OrchardRow(props: SlotProps) {
  return <SlotMachine look={look} {...props} />;
}

export default soloBoard<SlotWager, SlotView>(OrchardRow);
