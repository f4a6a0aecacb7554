/** The page: loads session, rules and board, draws the frame around them, and listens to the site. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AnyGame } from '../game.ts';
import type { SessionView } from '../wire.ts';
import { type Api, Refused } from './api.ts';
import type { SharedBoard, SoloBoard } from './board.ts';
import { BOARDS } from './boards.ts';
import { cx } from './cx.ts';
import { HistorySheet } from './history.tsx';
import { Icon, type IconName, Mark } from './icons.tsx';
import { FairSheet, RulesSheet } from './info.tsx';
import {
  type Cover,
  coverOf,
  type Next,
  noteOf,
  PAUSED,
  type Play,
  REALITY,
  type Seen,
  useMotion,
  useOnline,
} from './play.ts';
import { SharedPlay } from './shared.tsx';
import { type Site, siteOf } from './site.ts';
import { SoloPlay } from './solo.tsx';
import { createSound } from './sound.ts';
import actsCss from './acts.module.css';
import css from './page.module.css';
import panelCss from './panel.module.css';
import topCss from './top.module.css';
import winCss from './win.module.css';

interface Loaded {
  readonly session: SessionView;
  readonly rules: AnyGame;
  readonly board: SoloBoard | SharedBoard;
}

type State = { at: 'loading' } | { at: 'failed' } | { at: 'ended'; cover: Cover } | { at: 'ready'; loaded: Loaded };

export function App({ api }: { api: Api }) {
  const [state, setState] = useState<State>({ at: 'loading' });
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further try is a new load
  useEffect(() => {
    let gone = false;
    load(api).then(
      (loaded) => {
        if (gone) return;
        document.documentElement.dataset.look = loaded.session.brand.look;
        document.documentElement.dataset.theme = loaded.session.theme;
        document.title = `${loaded.rules.name}, ${loaded.session.brand.name}`;
        setState({ at: 'ready', loaded });
      },
      (error: unknown) => {
        if (gone) return;
        const cover = error instanceof Refused ? coverOf(error.error) : null;
        setState(cover?.kind === 'end' ? { at: 'ended', cover } : { at: 'failed' });
      },
    );
    return () => {
      gone = true;
    };
  }, [api, tries]);

  if (state.at === 'ready') return <Game api={api} loaded={state.loaded} />;
  if (state.at === 'loading') return <Skeleton />;
  return (
    <main className={css.alone}>
      {state.at === 'ended' ? (
        <>
          <h1>{state.cover.title}</h1>
          <p>{state.cover.text}</p>
        </>
      ) : (
        <>
          <h1>The game did not load</h1>
          <p>Your balance is safe. An open round is kept and comes back with the game.</p>
        </>
      )}
      {state.at === 'failed' && (
        <button
          type="button"
          className={cx(actsCss.act, actsCss.main)}
          onClick={() => {
            setState({ at: 'loading' });
            setTries(tries + 1);
          }}
        >
          Try again
        </button>
      )}
    </main>
  );
}

async function load(api: Api): Promise<Loaded> {
  const session = await api.session();
  const entry = BOARDS[session.game];
  if (!entry) throw new Error(`There is no board of ${session.game}.`);
  const [rules, board] = await Promise.all([entry.rules(), entry.board()]);
  return { session, rules, board: board.default };
}

function Skeleton() {
  return (
    <div className={css.page} aria-busy="true">
      <header className={topCss.top} />
      <div className={css.play}>
        <div className={css.stage}>
          <div className={css.board}>
            <div className={css.boardSkeleton} />
          </div>
        </div>
        <div className={cx(panelCss.panel, panelCss.skeleton)}>
          <i />
          <i />
          <i />
        </div>
      </div>
      <p className="spoken" role="status">
        The game is loading.
      </p>
    </div>
  );
}

type Open = 'rules' | 'fair' | 'history' | null;

function Game({ api, loaded }: { api: Api; loaded: Loaded }) {
  const { session, rules } = loaded;
  const [sheet, setSheet] = useState<Open>(null);
  const [cover, setCover] = useState<Cover | null>(null);
  const [said, setSaid] = useState('');
  const [soundOn, setSoundOn] = useState(false);
  const [next, setNext] = useState<Next>({ ...session.next, clientSeed: session.clientSeed, table: null });
  const [sound] = useState(createSound);
  const online = useOnline();
  const motion = useMotion();
  const site = useMemo<Site>(() => siteOf(window, session.parentOrigin), [session.parentOrigin]);

  useEffect(() => {
    const stop = site.listen((message) => {
      // What has ended stays ended, whatever the site says about pauses.
      const pause = (to: Cover | null) => setCover((held) => (held?.kind === 'end' ? held : to));
      if (message.type === 'pause') pause(PAUSED);
      else if (message.type === 'realityCheck') pause(REALITY);
      else if (message.type === 'resume') pause(null);
      else if (message.type === 'mute') sound.mute(message.on);
      else document.documentElement.dataset.theme = message.theme;
    });
    site.send({ type: 'ready', game: session.game });
    return stop;
  }, [site, sound, session.game]);

  // A cover takes the focus from what lies under it, and gives it back.
  const covered = cover !== null;
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (covered) {
      focused.current = document.activeElement;
      return;
    }
    if (focused.current instanceof HTMLElement && focused.current.isConnected) focused.current.focus();
    focused.current = null;
  }, [covered]);

  const count = useRef(0);
  const say = useCallback((text: string) => {
    // The same sentence twice is read out twice only if the text differs.
    count.current += 1;
    setSaid(count.current % 2 === 0 ? `${text}\u00a0` : text);
  }, []);
  const refused = useCallback<Play['refused']>(
    (error) => {
      site.send({ type: 'error', code: error.code });
      const covers = coverOf(error);
      if (covers) setCover(covers);
      return covers ? null : noteOf(error);
    },
    [site],
  );
  const shownNext = useRef<string | null>(session.next.commit);
  const onNext = useCallback((news: Partial<Next>) => {
    if (news.commit !== undefined) shownNext.current = news.commit;
    setNext((held) => ({ ...held, ...news }));
  }, []);
  const seen = useMemo<Seen>(() => {
    const held = new Map<string, string>();
    return {
      now: () => shownNext.current,
      forget: () => {
        shownNext.current = null;
      },
      keep: (roundId, commit) => void held.set(roundId, commit),
      of: (roundId) => held.get(roundId),
    };
  }, []);

  const closed = cover ? (cover.kind === 'end' ? 'Closed' : 'Paused') : online ? null : 'No connection';
  const play: Play = { api, site, sound, rules, session, closed, motion, say, refused, seen, onNext };
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
    <div className={css.page}>
      <header className={topCss.top}>
        <Mark look={session.brand.look} />
        <div className={cx(topCss.name, site.framed && 'spoken')}>
          <h1>{rules.name}</h1>
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
          {tool('rules', 'Rules and returns', () => setSheet('rules'))}
          {tool('fair', 'Fairness', () => setSheet('fair'))}
          {tool('history', 'Last rounds', () => setSheet('history'))}
        </nav>
      </header>
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
        {cover && (
          <div className={winCss.cover} role="alert">
            <Icon name={cover.kind === 'reality' ? 'clock' : cover.kind === 'pause' ? 'pause' : 'info'} />
            <h2>{cover.title}</h2>
            <p>{cover.text}</p>
            {cover.again && (
              <button type="button" className={actsCss.act} onClick={() => setCover(null)}>
                Go on
              </button>
            )}
            {cover.kind === 'end' && (
              <button type="button" className={actsCss.act} onClick={() => site.send({ type: 'exit' })}>
                Leave the game
              </button>
            )}
          </div>
        )}
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
