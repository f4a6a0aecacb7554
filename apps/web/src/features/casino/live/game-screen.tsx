import { CALLS, type FrameMessage } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useRef, useState } from 'react';
import { refresh, useCall } from '../../../api/api.ts';
import { formatDateTime } from '../../../platform/format.ts';
import { named } from '../../../platform/named.ts';
import { useOnline } from '../../../platform/online.ts';
import { useNavigate, useParams } from '../../../platform/routing.tsx';
import { useTitle } from '../../../platform/title.ts';
import { ACTIVITY, useSession } from '../../../session/session.ts';
import { cx } from '../../../ui/cx.ts';
import { IconBroadcast } from '../../../ui/icons.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { PHONE, useMedia } from '../../../ui/media.ts';
import { EmptyState, ErrorNote } from '../../../ui/note.tsx';
import { useTheme } from '../../../ui/theme.ts';
import { rememberPlayed } from '../recent.ts';
import { allGames, isActive } from './catalogue.ts';
import { Closed, Ended, Failed, Opening, Slow } from './covers.tsx';
import type { LiveGame } from './families.ts';
import { useFrame } from './frame.ts';
import { GameBar } from './game-bar.tsx';
import { notOpen } from './game-tile.tsx';
import { onlyThis } from './only-this.ts';
import { Strips } from './strips.tsx';
import { useLaunch } from './use-launch.ts';
import panelCss from '../../../ui/panel.module.css';
import css from './live.module.css';

/** How long a game may take to say that it is there. */
const READY_MS = 20_000;
/** Figures beside the balance are read again at most this often while rounds end. */
const REREAD_MS = 3000;

/** A live game in its frame: `/live-casino/{game_id}`. */
export function Screen() {
  const { gameId = '' } = useParams();
  const list = useCall(CALLS.provider.games, {}, { keep: true });
  const game = useMemo(() => allGames(list.data ?? {}).find(({ game_id }) => game_id === gameId), [list.data, gameId]);
  useTitle(game ? named(game.game_name) : t`Live Casino`);
  if (!game && list.isError) {
    return (
      <ErrorNote title={t`The game did not load.`} onRetry={() => void list.refetch()}>
        {t`Your bets and balance are not affected.`}
      </ErrorNote>
    );
  }
  if (!game && list.isPending)
    return <section className={cx(panelCss.panel, css.screen, 'gs--wait')} aria-busy="true" />;
  if (!game || !isActive(game)) {
    return (
      <section className={panelCss.panel}>
        <EmptyState
          icon={IconBroadcast}
          title={game ? `${named(game.game_name)}: ${notOpen(game).toLowerCase()}` : t`This game is not here`}
          action={
            <LinkButton kind="pri" to="/live-casino">
              {t`Live Casino`}
            </LinkButton>
          }
        >
          {game
            ? t`It opens again by itself.`
            : t`It may have been taken out of the list, or its provider does not answer.`}
        </EmptyState>
      </section>
    );
  }
  return <Game key={game.game_id} game={game} />;
}

function Game({ game }: { game: LiveGame }) {
  const session = useSession();
  const demo = session?.isDemo ?? false;
  const profile = useCall(CALLS.account.profile, {}, { enabled: session !== null });
  const care = useCall(CALLS.protection.status, {}, { enabled: session !== null && !demo });
  const standing = profile.data?.standing ?? null;
  const protection = care.data;
  const realityDue = protection?.reality.due ?? false;
  const online = useOnline();
  const theme = useTheme();
  // Nothing is opened before it is known that it may be; what cannot be read is left to the server, which refuses.
  const unknown = profile.isLoading || care.isLoading;
  const { launch, again } = useLaunch(game, unknown || standing !== null || realityDue);
  const address = launch.at === 'open' ? launch.address : null;
  const attempt = launch.at === 'open' ? launch.attempt : 0;

  const frame = useRef<HTMLIFrameElement>(null);
  const { ready, slow, ended, notice, take } = usePlay(game, launch);
  const send = useFrame(frame, address?.origin ?? null, take);

  useCheckBeforeLaunch(launch.at === 'failed' && launch.code === 'REALITY_CHECK_DUE', realityDue, again);

  useToldFrame(ready, send, { theme, realityDue, online });

  const { section, phone, large, setLarge, whole } = useWholeWindow();

  const until = standing?.until ? againAt(standing.until) : undefined;
  const name = named(game.game_name);
  return (
    <section ref={section} className={cx(panelCss.panel, css.screen, whole && css.whole)} aria-label={name}>
      <GameBar
        game={game}
        demo={demo}
        protection={protection}
        figures={whole}
        large={phone ? null : large}
        onLarge={setLarge}
      />
      {address && (
        <Strips off={standing && ready ? standing.text : null} until={until} online={online} notice={notice} />
      )}
      <div className={css.frameBox}>
        {address && ended === null && (
          <iframe
            key={attempt}
            ref={frame}
            className={cx(css.frame, !ready && 'is-dark')}
            src={address.url}
            title={name}
            // Scripts of another origin, on that origin: no way to the top window, no pop-ups, no downloads.
            sandbox="allow-scripts allow-same-origin"
            allow=""
            referrerPolicy="no-referrer"
          />
        )}
        {standing && launch.at === 'waiting' ? (
          <Closed text={standing.text} until={until} />
        ) : ended ? (
          <Ended replaced={ended === 'SESSION_REPLACED'} again={again} />
        ) : launch.at === 'failed' ? (
          <Failed launch={launch} game={game} again={again} />
        ) : slow ? (
          <Slow game={game} again={again} />
        ) : ready ? null : (
          <Opening game={game} />
        )}
      </div>
    </section>
  );
}

type Launch = ReturnType<typeof useLaunch>['launch'];

/** What the game says of itself: that it is there, that a round ended, that it cannot go on. */
function usePlay(game: LiveGame, launch: Launch) {
  const navigate = useNavigate();
  const attempt = launch.at === 'open' ? launch.attempt : 0;
  const [ready, setReady] = useState(false);
  const [slow, setSlow] = useState(false);
  const [ended, setEnded] = useState<'SESSION_REPLACED' | 'SESSION_OVER' | null>(null);
  const [notice, setNotice] = useState<'LIMIT_REACHED' | 'BLOCKED' | null>(null);
  const reread = useReread();

  const take = (message: FrameMessage) => {
    switch (message.type) {
      case 'ready':
        setReady(true);
        setSlow(false);
        rememberPlayed(game.game_id, 'live');
        break;
      case 'roundStart':
        setNotice(null);
        // Presses in the frame are not heard out here; whoever plays is not idle.
        window.dispatchEvent(new Event(ACTIVITY));
        break;
      case 'roundEnd':
      case 'balanceChanged':
        reread();
        break;
      case 'exit':
        void navigate('/live-casino');
        break;
      case 'error':
        if (message.code === 'SESSION_REPLACED' || message.code === 'SESSION_OVER') setEnded(message.code);
        if (message.code === 'REALITY_CHECK') refresh(CALLS.protection.status);
        if (message.code === 'LIMIT_REACHED') setNotice(message.code);
        if (message.code === 'BLOCKED') {
          setNotice(message.code);
          refresh(CALLS.account.profile, CALLS.protection.status);
        }
    }
  };

  // A new try is a new frame, of which nothing is known yet.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attempt is what this follows
  useEffect(() => {
    setReady(false);
    setSlow(false);
    setEnded(null);
    setNotice(null);
  }, [attempt, launch.at]);
  const loading = launch.at === 'open' && !ready && ended === null;
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(() => setSlow(true), READY_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  return { ready, slow, ended, notice, take };
}

/** A launch refused for a reality check that this page had not heard of: it is shown now, and once answered the game opens. */
function useCheckBeforeLaunch(waits: boolean, realityDue: boolean, again: () => void): void {
  useEffect(() => {
    if (waits) refresh(CALLS.protection.status);
  }, [waits]);
  const wasDue = useRef(false);
  useEffect(() => {
    if (waits && wasDue.current && !realityDue) again();
    wasDue.current = realityDue;
  }, [waits, realityDue, again]);
}

/** Tells the game what goes on around it. */
function useToldFrame(
  ready: boolean,
  send: ReturnType<typeof useFrame>,
  { theme, realityDue, online }: { theme: ReturnType<typeof useTheme>; realityDue: boolean; online: boolean },
): void {
  // A break or a block is no pause: an open round is played to its end, and the server refuses every new stake.
  const paused = realityDue || !online;
  const silent = useHidden() || realityDue;
  useEffect(() => {
    if (ready) send({ v: 1, type: 'theme', theme });
  }, [ready, send, theme]);
  useEffect(() => {
    if (ready) send({ v: 1, type: 'mute', on: silent });
  }, [ready, send, silent]);
  const held = useRef(false);
  useEffect(() => {
    if (!ready) {
      held.current = false;
      return;
    }
    if (realityDue) send({ v: 1, type: 'realityCheck' });
    if (paused) send({ v: 1, type: 'pause' });
    else if (held.current) send({ v: 1, type: 'resume' });
    held.current = paused;
  }, [ready, send, paused, realityDue]);
}

const againAt = (until: string): string => t`Betting opens again ${{ time: formatDateTime(Date.parse(until)) }}.`;

/** The game has the whole window on a phone, and elsewhere where the player wants it. */
function useWholeWindow() {
  const section = useRef<HTMLElement>(null);
  const phone = useMedia(PHONE);
  const [large, setLarge] = useState(false);
  const whole = phone || large;
  useEffect(() => (whole && section.current ? onlyThis(section.current) : undefined), [whole]);
  useEffect(() => {
    if (!large) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) setLarge(false);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [large]);
  return { section, phone, large, setLarge, whole };
}

/** Reads session figures, bets and statement again after a round, not at every one of a quick game. */
function useReread(): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const read = () => {
    timer.current = null;
    refresh(CALLS.protection.status, CALLS.provider.bets, CALLS.account.transactions);
  };
  const latest = useRef(read);
  latest.current = read;
  useEffect(
    () => () => {
      // What was played last is read when the player leaves, not thrown away.
      if (timer.current) {
        clearTimeout(timer.current);
        latest.current();
      }
    },
    [],
  );
  return () => {
    timer.current ??= setTimeout(() => latest.current(), REREAD_MS);
  };
}

function useHidden(): boolean {
  const [hidden, setHidden] = useState(() => document.visibilityState === 'hidden');
  useEffect(() => {
    const listener = () => setHidden(document.visibilityState === 'hidden');
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  }, []);
  return hidden;
}
