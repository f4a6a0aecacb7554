/** The five card tables: cloth with the seats, the cards as they are dealt, and the fields that take chips. */

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { amount, type SoloBoard, type SoloBoardProps, soloBoard, usePanel } from '../page/board.ts';
import { type TableSection, type TableView, type TableWager, tableInfo } from '../rules/card-table.ts';
import { Field, type Look, Seats } from './card-parts.tsx';
import { onGrid } from './tools.ts';
import css from './card-table.module.css';
import fieldsCss from './card-table-fields.module.css';

/** Longest deal, and the time between two cards of a short one. */
const DEAL_MS = 2600;
const CARD_MS = 420;
const END_MS = 450;

const LOOKS: Readonly<Record<string, Look>> = {
  baccarat: {
    places: [2, 2],
    hues: [6, 4, 1],
    ornament: (
      <path d="M100 18l22 42-22 42-22-42ZM100 34l14 26-14 26-14-26ZM60 60l14-20v40ZM140 60l-14-20v40ZM30 60h24M146 60h24" />
    ),
  },
  'dragon-tiger': {
    places: [1, 1],
    hues: [1, 4, 0, 2],
    ornament: (
      <>
        <circle cx="100" cy="60" r="46" />
        <path d="M100 14a23 23 0 0 1 0 46 23 23 0 0 0 0 46" />
        <circle cx="100" cy="37" r="6" />
        <circle cx="100" cy="83" r="6" />
      </>
    ),
  },
  lucky7: {
    places: [1],
    hues: [6, 2],
    ornament: (
      <>
        <path d="M72 22h56L98 100" strokeWidth="12" strokeLinejoin="round" />
        <path d="M30 60h26M144 60h26M43 47v26M157 47v26" />
      </>
    ),
  },
  'andar-bahar': {
    places: [1, 1, 1],
    hues: [6, 2],
    ornament: (
      <>
        <path d="M100 110C60 90 60 40 100 12c40 28 40 78 0 98Z" />
        <path d="M100 96c-22-12-22-40 0-58 22 18 22 46 0 58Z" />
        <circle cx="100" cy="66" r="9" />
        <path d="M100 110v-14M70 70C50 70 40 60 36 44M130 70c20 0 30-10 34-26" />
      </>
    ),
  },
  teenpatti: {
    places: [3, 3],
    hues: [6, 1],
    ornament: (
      <>
        <rect x="80" y="18" width="40" height="58" rx="6" />
        <rect x="80" y="18" width="40" height="58" rx="6" transform="rotate(-24 100 100)" />
        <rect x="80" y="18" width="40" height="58" rx="6" transform="rotate(24 100 100)" />
      </>
    ),
  },
};

type Props = SoloBoardProps<TableWager, TableView>;

/** One chip, by the field's selection. */
interface Laid {
  readonly id: number;
  readonly minor: number;
}

const board = soloBoard<TableWager, TableView>;
export const cardTableBoards: Readonly<Record<string, SoloBoard>> = {
  baccarat: board(Baccarat),
  'dragon-tiger': board(DragonTiger),
  lucky7: board(LuckySeven),
  'andar-bahar': board(AndarBahar),
  teenpatti: board(Teenpatti),
};

function Baccarat(props: Props) {
  return <Table code="baccarat" {...props} />;
}
function DragonTiger(props: Props) {
  return <Table code="dragon-tiger" {...props} />;
}
function LuckySeven(props: Props) {
  return <Table code="lucky7" {...props} />;
}
function AndarBahar(props: Props) {
  return <Table code="andar-bahar" {...props} />;
}
function Teenpatti(props: Props) {
  return <Table code="teenpatti" {...props} />;
}

const intervalMs = (cards: number) => Math.min(CARD_MS, DEAL_MS / cards);

/** How many cards of the round lie on the table by now. */
function useDeal({ round, motion, onShown, sound }: Props): number {
  const [dealt, setDealt] = useState<{ roundId: string; count: number } | null>(null);
  const fresh = round?.fresh === true;
  const roundId = round?.roundId ?? '';
  const all = round?.view.cards.length ?? 0;
  useEffect(() => {
    if (!fresh) return;
    if (!motion) {
      onShown();
      return;
    }
    const timers = Array.from({ length: all }, (_, i) =>
      setTimeout(
        () => {
          setDealt({ roundId, count: i + 1 });
          sound('deal');
        },
        150 + i * intervalMs(all),
      ),
    );
    timers.push(setTimeout(onShown, 150 + (all - 1) * intervalMs(all) + END_MS));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [fresh, motion, roundId, all, onShown, sound]);
  if (!fresh || !motion) return all;
  return dealt?.roundId === roundId ? dealt.count : 0;
}

function Table({ code, ...props }: Props & { code: string }) {
  const info = tableInfo(code);
  const look = LOOKS[code]!;
  const { round, stakeMinor, busy } = props;
  const dealt = useDeal(props);
  const [chips, setChips] = useState<readonly Laid[]>([]);
  const fresh = round?.fresh === true;
  // The chips of a round stay on the table until one is laid for the next.
  const played: readonly Laid[] = round?.wager.bets.map((bet) => ({ id: bet.id, minor: bet.stakeMinor })) ?? [];
  const bets = sums(chips.length > 0 && !fresh ? chips : played);
  const over = round !== null && dealt === round.view.cards.length;
  const settled = over && (chips.length === 0 || fresh) ? round.view.bets : null;

  useEffect(() => {
    if (fresh) setChips([]);
  }, [fresh]);

  const lay = (id: number) => {
    setChips([...chips, { id, minor: stakeMinor }]);
    props.sound('place');
  };

  usePanel<TableWager>({
    stake: 'chip',
    actions: [
      chips.length > 0
        ? { label: 'Deal', wager: { bets: [...sums(chips)].map(([id, minor]) => ({ id, stakeMinor: minor })) } }
        : { label: 'Deal', off: 'Lay a chip on a field' },
    ],
    says: round?.view.words,
  });

  return (
    <div className={css.table} data-game={info.code}>
      <div className={css.cloth}>
        <svg className={css.ornament} viewBox="0 0 200 120" aria-hidden="true">
          {look.ornament}
        </svg>
        <Seats {...{ info, look, round, dealt, over }} moves={props.motion && round?.fresh === true} />
        <p className={fieldsCss.words}>
          {over ? round.view.words : round ? 'Dealing' : 'Lay chips on the fields, then deal'}
        </p>
      </div>
      <ChipTools chips={chips} played={played} bets={bets} busy={busy} onChips={setChips} />
      <div className={fieldsCss.fields}>
        {info.sections.map((section) => (
          <Section
            key={section.title}
            section={section}
            hues={section.look === 'main' ? look.hues : []}
            bets={bets}
            settled={settled}
            busy={busy}
            onLay={lay}
            onTake={(id) => chips.some((chip) => chip.id === id) && setChips(chips.filter((chip) => chip.id !== id))}
          />
        ))}
      </div>
    </div>
  );
}

interface ToolsProps {
  chips: readonly Laid[];
  /** Those of the round before. */
  played: readonly Laid[];
  bets: ReadonlyMap<number, number>;
  busy: boolean;
  onChips: (chips: readonly Laid[]) => void;
}

function ChipTools({ chips, played, bets, busy, onChips }: ToolsProps) {
  return (
    <div className={fieldsCss.tools}>
      {chips.length === 0 && played.length > 0 ? (
        <button type="button" disabled={busy} onClick={() => onChips(played)}>
          Same bets
        </button>
      ) : (
        <>
          <button type="button" disabled={busy || chips.length === 0} onClick={() => onChips(chips.slice(0, -1))}>
            Undo
          </button>
          <button type="button" disabled={busy || chips.length === 0} onClick={() => onChips([])}>
            Clear
          </button>
        </>
      )}
      <span>
        On the table{' '}
        <b>
          {amount(
            [...bets.values()].reduce((sum, minor) => sum + minor, 0),
            'needed',
          )}
        </b>
      </span>
    </div>
  );
}

/** Fields of one kind: one tab stop, arrows go from field to field, Delete takes the chips off. */
function Section(props: {
  section: TableSection;
  hues: readonly number[];
  bets: ReadonlyMap<number, number>;
  settled: TableView['bets'] | null;
  busy: boolean;
  onLay: (id: number) => void;
  onTake: (id: number) => void;
}) {
  const { section, bets, settled, busy } = props;
  const [at, setAt] = useState(0);
  const row = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      if (!busy) props.onTake(section.fields[at]!.id);
      return;
    }
    const drawn = [...row.current!.children] as HTMLElement[];
    const columns = drawn.filter((each) => each.offsetTop === drawn[0]!.offsetTop).length;
    const to = onGrid(event.key, at, columns, drawn.length);
    if (to === null) return;
    event.preventDefault();
    setAt(to);
    drawn[to]!.focus();
  };
  return (
    <fieldset className={css.section} data-look={section.look}>
      <legend>
        {section.title}
        {section.look === 'ranks' && <span>, {section.fields[0]!.pays}×</span>}
      </legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of its buttons */}
      <div ref={row} className={css.row} data-count={section.fields.length} onKeyDown={onKeyDown}>
        {section.fields.map((field, index) => (
          <Field
            key={field.id}
            field={field}
            look={section.look}
            hue={props.hues[index] ?? 0}
            betMinor={bets.get(field.id) ?? 0}
            paidMinor={settled?.find((bet) => bet.id === field.id)?.paidMinor ?? null}
            busy={busy}
            stop={index === at}
            onAim={() => setAt(index)}
            onLay={props.onLay}
          />
        ))}
      </div>
    </fieldset>
  );
}

function sums(chips: readonly Laid[]): Map<number, number> {
  const bets = new Map<number, number>();
  for (const { id, minor } of chips) bets.set(id, (bets.get(id) ?? 0) + minor);
  return bets;
}
