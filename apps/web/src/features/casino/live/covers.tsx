import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { named } from '../../../platform/named.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import type { IconShape } from '../../../ui/icon.tsx';
import { IconClock, IconLock, IconShieldHeart } from '../../../ui/icons.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { EmptyState } from '../../../ui/note.tsx';
import { IconDevices, IconPlugConnectedX } from '../icons.ts';
import type { LiveGame } from './families.ts';
import { GameArt } from './game-tile.tsx';
import { PasswordAgain } from './password-again.tsx';
import type { Launch } from './use-launch.ts';
import buttonCss from '../../../ui/button.module.css';
import css from './live.module.css';

/** Codes of a launch that the player's own rules or state refuse: trying again would change nothing. */
const CLOSED: readonly string[] = [
  'ACCOUNT_BLOCKED',
  'SESSION_TIME_LIMIT',
  'LOSS_LIMIT',
  'WAGER_LIMIT',
  'STAKE_LIMIT',
  'EXPOSURE_LIMIT',
];

/** The game is on its way: its picture, its name, a word. */
export function Opening({ game }: { game: LiveGame }) {
  return (
    <div className={cx(css.cover, css.coverOpen)} role="status">
      <GameArt game={game} eager />
      <b>{named(game.game_name)}</b>
      <span className="row g-4 t2">
        <span className={buttonCss.spinner} aria-hidden="true" /> {t`Opening`}
      </span>
    </div>
  );
}

export function Failed({
  launch,
  game,
  again,
}: {
  launch: Extract<Launch, { at: 'failed' }>;
  game: LiveGame;
  again: () => void;
}) {
  if (CLOSED.includes(launch.code)) return <Closed text={launch.text} />;
  if (launch.code === 'DEMO_NOT_ALLOWED') {
    return (
      <Cover icon={IconLock} title={t`This game is not part of the demo`} action={<Others />}>
        {t`It belongs to accounts that play with real money.`}
      </Cover>
    );
  }
  if (launch.code === 'REALITY_CHECK_DUE') {
    return (
      <Cover
        icon={IconClock}
        title={t`The reality check comes first`}
        action={<Again again={again}>{t`Open the game`}</Again>}
      >
        {t`The game opens once you have answered it.`}
      </Cover>
    );
  }
  if (launch.code === 'STEP_UP_REQUIRED') return <PasswordAgain again={again} />;
  const line = launch.status === 0;
  return (
    <Cover
      icon={IconPlugConnectedX}
      title={line ? t`No answer from the site` : t`${{ provider: game.provider_name }} cannot open this game now`}
      action={
        <>
          <Again again={again}>{t`Try again`}</Again>
          <Others />
        </>
      }
    >
      {launch.text} {t`Nothing was staked.`}
    </Cover>
  );
}

/** The frame is there but its game never said so. */
export function Slow({ game, again }: { game: LiveGame; again: () => void }) {
  return (
    <Cover
      icon={IconPlugConnectedX}
      title={t`${{ provider: game.provider_name }} does not answer`}
      action={
        <>
          <Again again={again}>{t`Try again`}</Again>
          <Others />
        </>
      }
    >
      {t`The game did not load. Your balance is not affected; a round that was open goes on where it stood.`}
    </Cover>
  );
}

/** Betting is off for this player: why, until when, and what can be done. */
export function Closed({ text, until }: { text: string; until?: string | undefined }) {
  return (
    <Cover
      icon={IconShieldHeart}
      title={t`Games do not open now`}
      action={
        <>
          <LinkButton to="/player-protection" icon={IconShieldHeart}>
            {t`Player protection`}
          </LinkButton>
          <Others />
        </>
      }
    >
      {text} {until}
    </Cover>
  );
}

/** The provider ended this session: it was opened elsewhere, or it ran out. */
export function Ended({ replaced, again }: { replaced: boolean; again: () => void }) {
  return (
    <Cover
      icon={replaced ? IconDevices : IconClock}
      title={replaced ? t`This game was opened in another window` : t`The game has been closed`}
      action={
        <>
          <Again again={again}>{replaced ? t`Play here` : t`Open it again`}</Again>
          <Others />
        </>
      }
    >
      {replaced
        ? t`A game runs in one window at a time. It goes on there; its rounds are in your bets.`
        : t`Its session is over. Rounds that were played are in your bets.`}
    </Cover>
  );
}

function Cover({
  icon,
  title,
  action,
  children,
}: {
  icon: IconShape;
  title: string;
  action: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={css.cover} role="alert">
      <EmptyState icon={icon} title={title} action={<span className={cx('row g-4', css.actions)}>{action}</span>}>
        {children}
      </EmptyState>
    </div>
  );
}

const Again = ({ again, children }: { again: () => void; children: ReactNode }) => (
  <Button kind="pri" onClick={again}>
    {children}
  </Button>
);
const Others = () => <LinkButton to="/live-casino">{t`Other games`}</LinkButton>;
