/** Keno: forty numbers to pick from, ten balls drawn one after the other, and what each number of hits pays. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type Panel, type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { DRAWN, type KenoView, type KenoWager, kenoPays, MOST_PICKS, NUMBERS } from '../rules/keno.ts';
import { onGrid, useShown } from './tools.ts';
import css from './keno.module.css';

const COLUMNS = 8;
const BALL_MS = 190;
const REST_MS = 300;

function KenoBoard({ round, stakeMinor, busy, motion, onShown, sound }: SoloBoardProps<KenoWager, KenoView>) {
  const [picks, setPicks] = useState<readonly number[]>(round?.wager.picks ?? []);
  const [at, setAt] = useState(0);

  // The draw stays on the board until the picks change.
  const same =
    round !== null && round.wager.picks.length === picks.length && round.wager.picks.every((n) => picks.includes(n));
  const drawn = same ? round.view.drawn : null;
  usePanel<KenoWager>({
    ...(drawn !== null && { says: `${round?.view.hits} of ${picks.length} hit: ${drawn.join(', ')} were drawn.` }),
    ...panelOf(stakeMinor, picks),
  });

  const fresh = round?.fresh === true;
  const drawing = useShown(fresh, motion, DRAWN * BALL_MS + REST_MS, onShown);
  const roundId = round?.roundId;
  const out = useBallsOut(drawing, roundId, sound);
  const balls = drawn === null ? [] : drawing ? drawn.slice(0, out) : drawn;
  const hits = balls.filter((ball) => picks.includes(ball)).length;

  const press = (number: number) => {
    setAt(number - 1);
    if (busy) return;
    if (picks.includes(number)) setPicks(picks.filter((pick) => pick !== number));
    else if (picks.length < MOST_PICKS) setPicks([...picks, number].sort((a, b) => a - b));
    else return;
    sound('place');
  };
  const fillUp = () => {
    setPicks(anyPicks(Math.max(5, picks.length)));
    sound('place');
  };

  return (
    <div className={css.keno}>
      <Tube balls={balls} picks={picks} />

      <Grid picks={picks} balls={balls} at={at} onAt={setAt} busy={busy} onPress={press} />

      <div className={css.foot}>
        <Pays picks={picks.length} hits={drawn === null ? null : hits} />
        <div className={css.do}>
          <button type="button" disabled={busy} onClick={fillUp}>
            Pick for me
          </button>
          <button type="button" disabled={busy || picks.length === 0} onClick={() => setPicks([])}>
            Clear
          </button>
        </div>
      </div>
    </div>
  );
}

/** What can be done with these picks, and what they may pay. */
const panelOf = (stakeMinor: number, picks: readonly number[]): Panel<KenoWager, never> => ({
  actions: [
    {
      label: 'Draw',
      wager: { stakeMinor, picks },
      ...(picks.length === 0 ? { off: 'Pick numbers' } : {}),
    },
  ],
  note:
    picks.length === 0
      ? `Pick 1 to ${MOST_PICKS} of ${NUMBERS} numbers`
      : `${picks.length} of ${MOST_PICKS} picked, pays up to ${times(kenoPays(picks.length).at(-1)!)}`,
});

/** How many balls have come out of the draw that is shown. */
function useBallsOut(
  drawing: boolean,
  roundId: string | undefined,
  sound: SoloBoardProps<KenoWager, KenoView>['sound'],
) {
  const [out, setOut] = useState(0);
  useEffect(() => {
    if (!drawing || roundId === undefined) return;
    setOut(0);
    const timer = setInterval(() => {
      setOut((now) => now + 1);
      sound('tick');
    }, BALL_MS);
    return () => clearInterval(timer);
  }, [drawing, roundId, sound]);
  return out;
}

function anyPicks(count: number): number[] {
  const rest = Array.from({ length: NUMBERS }, (_, i) => i + 1);
  const any: number[] = [];
  // Only a choice of the player; the draw is not touched by it.
  while (any.length < count) any.push(...rest.splice(Math.floor(Math.random() * rest.length), 1));
  return any.sort((a, b) => a - b);
}

interface GridProps {
  picks: readonly number[];
  balls: readonly number[];
  /** The place that has the tab stop. */
  at: number;
  onAt: (at: number) => void;
  busy: boolean;
  onPress: (number: number) => void;
}

function Grid({ picks, balls, at, onAt, busy, onPress }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = onGrid(event.key, at, COLUMNS, NUMBERS);
    if (next === null) return;
    event.preventDefault();
    onAt(next);
    grid.current?.querySelector<HTMLElement>(`[data-number="${next + 1}"]`)?.focus();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: one tab stop for forty numbers, arrow keys between them */}
      <div ref={grid} className={css.grid} role="group" aria-label="Numbers 1 to 40" onKeyDown={onKeyDown}>
        {Array.from({ length: NUMBERS }, (_, i) => {
          const number = i + 1;
          const picked = picks.includes(number);
          const ball = balls.includes(number);
          return (
            <button
              key={number}
              type="button"
              data-number={number}
              data-look={picked && ball ? 'hit' : picked ? 'picked' : ball ? 'drawn' : 'plain'}
              aria-pressed={picked}
              aria-label={ball ? `${number}, drawn` : String(number)}
              aria-disabled={busy || (!picked && picks.length === MOST_PICKS)}
              data-full={picks.length === MOST_PICKS}
              tabIndex={i === at ? 0 : -1}
              onClick={() => onPress(number)}
            >
              {number}
            </button>
          );
        })}
      </div>
    </>
  );
}

function Tube({ balls, picks }: { balls: readonly number[]; picks: readonly number[] }) {
  return (
    <ol className={css.tube} aria-label="Numbers drawn">
      {Array.from({ length: DRAWN }, (_, i) => {
        const ball = balls[i];
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: places of the tube
            key={i}
            data-look={ball === undefined ? 'none' : picks.includes(ball) ? 'hit' : 'ball'}
            aria-label={ball === undefined ? undefined : picks.includes(ball) ? `${ball}, hit` : String(ball)}
          >
            {ball}
          </li>
        );
      })}
    </ol>
  );
}

/** What each number of hits pays, the one drawn marked. */
function Pays({ picks, hits }: { picks: number; hits: number | null }) {
  if (picks === 0) return <p>More hits pay more. What they pay appears with your picks.</p>;
  return (
    <ol className={css.pays} aria-label="What hits pay">
      {kenoPays(picks).map((pay, count) =>
        pay === 0 ? null : (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the number of hits
            key={count}
            data-on={count === hits}
          >
            <span>{count === 1 ? '1 hit' : `${count} hits`}</span>
            <b>{times(pay)}</b>
          </li>
        ),
      )}
    </ol>
  );
}

export default soloBoard<KenoWager, KenoView>(KenoBoard);
