/** A game while it is played: the bar above it, the play, what covers it, and the sheets over it. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AnyGame } from '../game.ts';
import type { SessionView } from '../wire.ts';
import type { Api } from './api.ts';
import type { SharedBoard, SoloBoard } from './board.ts';
import { cx } from './cx.ts';
import { HistorySheet } from './history.tsx';
import { Icon, type IconName, Mark } from './icons.tsx';
import { FairSheet, RulesSheet } from './info.tsx';
import { type Cover, coverOf, noteOf, PAUSED, type Play, REALITY, useMotion, useNext, useOnline } from './play.ts';
import { SharedPlay } from './shared.tsx';
import { type Site, siteOf } from './site.ts';
import { SoloPlay } from './solo.tsx';
import { createSound, type Sound } from './sound.ts';
import actsCss from './acts.module.css';
import css from './page.module.css';
import topCss from './top.module.css';
import winCss from './win.module.css';

export interface Loaded {
  readonly session: SessionView;
  readonly rules: AnyGame;
  readonly board: SoloBoard | SharedBoard;
}

type Sheet = 'rules' | 'fair' | 'history';

export function Game({ api, loaded }: { api: Api; loaded: Loaded }) {
  const { session, rules } = loaded;
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [cover, setCover] = useState<Cover | null>(null);
  const [sound] = useState(createSound);
  const online = useOnline();
  const motion = useMotion();
  const site = useMemo<Site>(() => siteOf(window, session.parentOrigin), [session.parentOrigin]);

  useSite(site, sound, session.game, setCover);
  useFocusBack(cover !== null);
  const { said, say } = useSaid();
  const refused = useCallback<Play['refused']>(
    (error) => {
      site.send({ type: 'error', code: error.code });
      const covers = coverOf(error);
      if (covers) setCover(covers);
      return covers ? null : noteOf(error);
    },
    [site],
  );
  const { next, onNext, seen } = useNext(session);
  const closed = cover ? (cover.kind === 'end' ? 'Closed' : 'Paused') : online ? null : 'No connection';
  const play: Play = { api, site, sound, rules, session, closed, motion, say, refused, seen, onNext };
  return (
    <div className={css.page}>
      <Top session={session} name={rules.name} framed={site.framed} sound={sound} onOpen={setSheet} />
      {!online && (
        <p className={css.banner} role="alert">
          No connection. Nothing is lost: what was sent is asked for again as soon as it is back.
        </p>
      )}
      <main className={css.playArea}>
        <div className={css.play} inert={cover !== null}>
          {rules.kind === 'solo' ? (
            <SoloPlay play={play} Board={loaded.board as SoloBoard} />
          ) : (
            <SharedPlay play={play} rules={rules} Board={loaded.board as SharedBoard} />
          )}
        </div>
        {cover && <Covered cover={cover} onGoOn={() => setCover(null)} onLeave={() => site.send({ type: 'exit' })} />}
      </main>
      <p className="spoken" role="status" aria-live="polite">
        {said}
      </p>
      {sheet === 'rules' && <RulesSheet rules={rules} session={session} onClose={() => setSheet(null)} />}
      {sheet === 'fair' && (
        <FairSheet play={play} next={next} onClose={() => setSheet(null)} onHistory={() => setSheet('history')} />
      )}
      {sheet === 'history' && <HistorySheet play={play} board={loaded.board} onClose={() => setSheet(null)} />}
    </div>
  );
}

/** What the site around the page says, from the moment that the game is there. */
function useSite(
  site: Site,
  sound: Sound,
  game: string,
  onCover: (to: (held: Cover | null) => Cover | null) => void,
): void {
  useEffect(() => {
    const stop = site.listen((message) => {
      // What has ended stays ended, whatever the site says about pauses.
      const pause = (to: Cover | null) => onCover((held) => (held?.kind === 'end' ? held : to));
      if (message.type === 'pause') pause(PAUSED);
      else if (message.type === 'realityCheck') pause(REALITY);
      else if (message.type === 'resume') pause(null);
      else if (message.type === 'mute') sound.mute(message.on);
      else document.documentElement.dataset.theme = message.theme;
    });
    site.send({ type: 'ready', game });
    return stop;
  }, [site, sound, game, onCover]);
}

/** A cover takes the focus from what lies under it, and gives it back. */
function useFocusBack(covered: boolean): void {
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (covered) {
      focused.current = document.activeElement;
      return;
    }
    if (focused.current instanceof HTMLElement && focused.current.isConnected) focused.current.focus();
    focused.current = null;
  }, [covered]);
}

function useSaid() {
  const [said, setSaid] = useState('');
  const count = useRef(0);
  const say = useCallback((text: string) => {
    // The same sentence twice is read out twice only if the text differs.
    count.current += 1;
    setSaid(count.current % 2 === 0 ? `${text}\u00a0` : text);
  }, []);
  return { said, say };
}

interface TopProps {
  session: SessionView;
  name: string;
  framed: boolean;
  sound: Sound;
  onOpen: (sheet: Sheet) => void;
}

function Top({ session, name, framed, sound, onOpen }: TopProps) {
  const [soundOn, setSoundOn] = useState(false);
  const tool = (name: IconName, label: string, press: () => void, pressed?: boolean) => (
    <button
      type="button"
      className={css.iconButton}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={press}
    >
      <Icon name={name} />
    </button>
  );

  return (
    <header className={topCss.top}>
      <Mark look={session.brand.look} />
      <div className={cx(topCss.name, framed && 'spoken')}>
        <h1>{name}</h1>
        <p>
          {session.brand.name}
          {session.mode === 'demo' && <span className={topCss.demo}>Demo</span>}
        </p>
      </div>
      <nav aria-label="Game">
        {tool(
          soundOn ? 'sound' : 'silent',
          'Sound',
          () => {
            sound.turn(!soundOn);
            setSoundOn(!soundOn);
          },
          soundOn,
        )}
        {tool('rules', 'Rules and returns', () => onOpen('rules'))}
        {tool('fair', 'Fairness', () => onOpen('fair'))}
        {tool('history', 'Last rounds', () => onOpen('history'))}
      </nav>
    </header>
  );
}

function Covered({ cover, onGoOn, onLeave }: { cover: Cover; onGoOn: () => void; onLeave: () => void }) {
  return (
    <div className={winCss.cover} role="alert">
      <Icon name={cover.kind === 'reality' ? 'clock' : cover.kind === 'pause' ? 'pause' : 'info'} />
      <h2>{cover.title}</h2>
      <p>{cover.text}</p>
      {cover.again && (
        <button type="button" className={actsCss.act} onClick={onGoOn}>
          Go on
        </button>
      )}
      {cover.kind === 'end' && (
        <button type="button" className={actsCss.act} onClick={onLeave}>
          Leave the game
        </button>
      )}
    </div>
  );
}
