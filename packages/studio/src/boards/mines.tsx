/** Mines: a field of 25 tiles; gems under the safe ones, and a ladder of what the next ones pay. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { payOf } from '../game.ts';
import { type SoloBoardProps, soloBoard, times, usePanel } from '../page/board.ts';
import { Slider } from '../page/parts.tsx';
import { type MinesMove, type MinesView, type MinesWager, minesTimes, mostTiles, TILES } from '../rules/mines.ts';
import { onGrid, useShown } from './tools.ts';
import css from './mines.module.css';

const COLUMNS = 5;
const STEPS = 5;
const TILE_MS = 320;
const END_MS = 700;

type Look = 'covered' | 'safe' | 'mine' | 'hit' | 'rest';
const SAYS: Readonly<Record<Look, string>> = {
  covered: 'covered',
  safe: 'safe',
  mine: 'mine',
  hit: 'mine, opened',
  rest: 'not opened',
};

function MinesBoard(props: SoloBoardProps<MinesWager, MinesView, MinesMove>) {
  const { round, stakeMinor, busy, motion, onMove, onShown, sound } = props;
  const [count, setCount] = useState(round?.wager.mines ?? 3);

  const open = round !== null && !round.over;
  // After a round its field stays until another number of mines is chosen.
  const view = round !== null && (open || round.wager.mines === count) ? round.view : null;
  const laid = open ? round.view.mines : count;
  const safe = view === null ? 0 : view.opened.length - (view.end === 'mined' ? 1 : 0);
  const nextSafe = open ? safe : 0;
  const chance = ((TILES - laid - nextSafe) / (TILES - nextSafe)) * 100;
  const words = says(view, safe, laid);
  usePanel<MinesWager, MinesMove>({
    says: words,
    ...(open
      ? {
          actions: [
            {
              label: safe === 0 ? 'Take stake back' : 'Cash out',
              move: { do: 'cash' },
              worthMinor: payOf(round.stakeMinor, round.view.times),
            },
          ],
          note: `Next tile: ${chance.toFixed(1)} % safe, pays ${times(round.view.nextTimes ?? 0)}`,
        }
      : {
          actions: [{ label: 'Start', wager: { stakeMinor, mines: count } }],
          note: `First tile: ${chance.toFixed(1)} % safe, pays ${times(minesTimes(count, 1))}`,
        }),
  });

  const fresh = round?.fresh === true;
  const newest = view?.opened.at(-1) ?? null;
  const showing = useShown(fresh, motion, round?.over ? END_MS : newest === null ? 0 : TILE_MS, onShown);
  useEffect(() => {
    if (showing && newest !== null) sound('move');
  }, [showing, newest, sound]);

  const lookOf = (tile: number): Look => lookIn(view, newest, tile);
  return (
    <div className={css.mines} data-open={open}>
      <Ladder laid={laid} safe={safe} mined={view?.end === 'mined'} />

      <Field
        lookOf={lookOf}
        newest={showing ? newest : null}
        off={!open || busy}
        onPress={(tile) => onMove({ do: 'open', tile })}
      />

      <div className={css.side}>
        <Slider
          label="Mines"
          value={laid}
          min={1}
          max={TILES - 1}
          text={(value) => `${value} of 25`}
          onChange={setCount}
          disabled={open || busy}
        />
        <p className={css.says}>{words}</p>
      </div>
    </div>
  );
}

/** The rung behind, the one stood on, and those to come. */
function Ladder({ laid, safe, mined }: { laid: number; safe: number; mined: boolean }) {
  const top = mostTiles(laid);
  const from = Math.max(0, Math.min(safe - 1, top - STEPS));
  const rungs = Array.from({ length: Math.min(STEPS, top - from) }, (_, i) => from + i + 1);
  return (
    <ol className={css.ladder} aria-label="What safe tiles pay">
      {rungs.map((rung) => (
        <li
          key={rung}
          data-state={rung === safe && !mined ? 'now' : rung <= safe ? 'past' : 'ahead'}
          aria-current={rung === safe ? 'step' : undefined}
        >
          <span>{rung === 1 ? '1 tile' : `${rung} tiles`}</span>
          <b>{times(minesTimes(laid, rung))}</b>
        </li>
      ))}
    </ol>
  );
}

function lookIn(view: MinesView | null, newest: number | null, tile: number): Look {
  if (view === null) return 'covered';
  if (view.end === 'mined' && tile === newest) return 'hit';
  if (view.opened.includes(tile)) return 'safe';
  if (view.mined === null) return 'covered';
  return view.mined.includes(tile) ? 'mine' : 'rest';
}

interface FieldProps {
  lookOf: (tile: number) => Look;
  /** The tile that is being opened. */
  newest: number | null;
  off: boolean;
  onPress: (tile: number) => void;
}

/** One tab stop for all tiles, arrow keys between them. */
function Field({ lookOf, newest, off, onPress }: FieldProps) {
  const [at, setAt] = useState(12);
  const field = useRef<HTMLDivElement>(null);
  const press = (tile: number) => {
    setAt(tile);
    if (!off && lookOf(tile) === 'covered') onPress(tile);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = onGrid(event.key, at, COLUMNS, TILES);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    field.current?.querySelector<HTMLElement>(`[data-tile="${next}"]`)?.focus();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: one tab stop for 25 tiles, arrow keys between them */}
      <div
        ref={field}
        className={css.field}
        role="group"
        aria-label="Field of five by five tiles"
        onKeyDown={onKeyDown}
      >
        {Array.from({ length: TILES }, (_, tile) => {
          const look = lookOf(tile);
          return (
            <Tile
              // biome-ignore lint/suspicious/noArrayIndexKey: tiles never move
              key={tile}
              tile={tile}
              look={look}
              isNew={tile === newest}
              inTabOrder={tile === at}
              off={off || look !== 'covered'}
              onPress={() => press(tile)}
            />
          );
        })}
      </div>
    </>
  );
}

interface TileProps {
  tile: number;
  look: Look;
  isNew: boolean;
  inTabOrder: boolean;
  off: boolean;
  onPress: () => void;
}

function Tile({ tile, look, isNew, inTabOrder, off, onPress }: TileProps) {
  return (
    <button
      type="button"
      className={css.tile}
      data-tile={tile}
      data-look={look}
      data-new={isNew}
      tabIndex={inTabOrder ? 0 : -1}
      aria-disabled={off}
      aria-label={`Row ${Math.floor(tile / COLUMNS) + 1}, tile ${(tile % COLUMNS) + 1}: ${SAYS[look]}`}
      onClick={onPress}
    >
      {look === 'safe' && <Gem />}
      {(look === 'mine' || look === 'hit') && <Mine />}
    </button>
  );
}

function says(view: MinesView | null, safe: number, laid: number): string {
  if (view === null) return `${TILES - laid} safe tiles, ${laid} ${laid === 1 ? 'mine' : 'mines'}`;
  const found = safe === 1 ? '1 safe tile' : `${safe} safe tiles`;
  if (view.end === 'mined') return safe === 0 ? 'The first tile was a mine' : `A mine after ${found}`;
  if (view.end === 'cashed') return safe === 0 ? 'Stake taken back' : `Cashed out after ${found}: ${times(view.times)}`;
  return safe === 0 ? 'Open a tile' : `${found}: ${times(view.times)} so far`;
}

function Gem() {
  return (
    <svg viewBox="2 4 36 34" aria-hidden="true">
      <path className={css.gem1} d="M12 8h16l7 9-15 17L5 17Z" />
      <path className={css.gem2} d="M12 8l-7 9h9l6-9Zm16 0l7 9h-9l-6-9Z" />
      <path className={css.gem3} d="M14 17h12l-6 17Z" />
      <path className={css.gem4} d="M20 8l6 9H14Z" />
    </svg>
  );
}

function Mine() {
  return (
    <svg viewBox="0 0 40 40" aria-hidden="true">
      <g className={css.mineHorns}>
        <path d="M20 4v32M4 20h32M8.7 8.7l22.6 22.6M31.3 8.7L8.7 31.3" />
      </g>
      <circle className={css.mineBody} cx="20" cy="20" r="11.5" />
      <circle className={css.mineLight} cx="16" cy="16" r="3" />
    </svg>
  );
}

export default soloBoard<MinesWager, MinesView, MinesMove>(MinesBoard);
