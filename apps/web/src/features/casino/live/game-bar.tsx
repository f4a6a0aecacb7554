import { CALLS, type ProtectionStatus } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCall } from '../../../api/api.ts';
import { useWallet } from '../../../live/live.ts';
import { formatDuration, formatMoney } from '../../../platform/format.ts';
import { named } from '../../../platform/named.ts';
import { Link } from '../../../platform/routing.tsx';
import { useServerNow } from '../../../platform/use-server-now.ts';
import { Chip } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { IconArrowLeft, IconShieldHeart } from '../../../ui/icons.ts';
import { SignedMoney } from '../../../ui/money.tsx';
import { IconMaximize, IconMinimize } from '../icons.ts';
import type { LiveGame } from './families.ts';
import buttonCss from '../../../ui/button.module.css';
import css from './live.module.css';

/**
 * What stands around a game, outside its frame: the way out, its name, the limits. Where the game has the whole window, the
 * balance, session clock and net position of the header stand here too.
 */
export function GameBar({
  game,
  demo,
  protection,
  figures,
  large,
  onLarge,
}: {
  game: LiveGame;
  demo: boolean;
  protection: ProtectionStatus | undefined;
  figures: boolean;
  /** null: always large, as on a phone. */
  large: boolean | null;
  onLarge: (large: boolean) => void;
}) {
  return (
    <header className={css.bar}>
      <Link className={css.out} to="/live-casino" aria-label={t`Leave the game`}>
        <Icon of={IconArrowLeft} size={18} />
      </Link>
      <div className={css.name}>
        <h1 className="clip">{named(game.game_name)}</h1>
        <span className="clip">{game.provider_name}</span>
      </div>
      {demo && <Chip tone="live">{t`Play money`}</Chip>}
      <span className="grow" />
      {figures && <Figures protection={protection} demo={demo} />}
      {!demo && (
        <Link
          className={buttonCss.icon}
          to="/player-protection"
          aria-label={t`Limits and breaks`}
          title={t`Limits and breaks`}
        >
          <Icon of={IconShieldHeart} size={18} />
        </Link>
      )}
      {large !== null && (
        <IconButton
          icon={large ? IconMinimize : IconMaximize}
          label={large ? t`Back to the page` : t`Fill the window`}
          aria-pressed={large}
          onClick={() => onLarge(!large)}
        />
      )}
    </header>
  );
}

function Figures({ protection, demo }: { protection: ProtectionStatus | undefined; demo: boolean }) {
  const held = useCall(CALLS.account.profile, {}).data?.userBal.currentBalance;
  const balance = useWallet()?.balanceMinor ?? held;
  return (
    <dl className={css.figures}>
      {!demo && (
        <div>
          <dt>{t`Balance`}</dt>
          <dd className="num">{balance === undefined ? '\u2013' : formatMoney(balance)}</dd>
        </div>
      )}
      {protection && (
        <>
          <div>
            <dt>{t`Session`}</dt>
            <dd className="num">
              <SessionClock startedAt={Date.parse(protection.session.startedAt)} />
            </dd>
          </div>
          <div>
            <dt>{t`Net`}</dt>
            <dd>
              <SignedMoney minor={protection.session.netMinor} />
            </dd>
          </div>
        </>
      )}
    </dl>
  );
}

function SessionClock({ startedAt }: { startedAt: number }) {
  return formatDuration(Math.max(0, useServerNow() - startedAt));
}
