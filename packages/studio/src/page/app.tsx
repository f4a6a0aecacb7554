/** The page: loads session, rules and board, and says what stands between the player and the game. */
import { useEffect, useState } from 'react';
import { type Api, Refused } from './api.ts';
import { BOARDS } from './boards.ts';
import { cx } from './cx.ts';
import { Game, type Loaded } from './game.tsx';
import { type Cover, coverOf } from './play.ts';
import actsCss from './acts.module.css';
import css from './page.module.css';
import panelCss from './panel.module.css';
import topCss from './top.module.css';

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
