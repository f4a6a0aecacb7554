import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { named } from '../../../platform/named.ts';
import { Link } from '../../../platform/routing.tsx';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import { categoryName } from '../categories.ts';
import { IconStar, IconStarFilled } from '../icons.ts';
import { gamePath, isActive, markOf } from './catalogue.ts';
import { familyOf, type LiveGame } from './families.ts';
import marketCss from '../../../ui/market.module.css';
import css from '../game-tile.module.css';
import gameArtCss from './game-art.module.css';
import liveCss from './live.module.css';

/** A live game of the lobby. Only an active one is a link (LIV-06); the others stay in their place and say so. */
export function GameTile({
  game,
  marked,
  onMark,
  provider,
}: {
  game: LiveGame;
  marked: boolean;
  onMark: (mark: string) => void;
  /** Whether the provider's name stands in the tile. */
  provider: boolean;
}) {
  const open = isActive(game);
  const inside = (
    <>
      <GameArt game={game} />
      {!open && <span className={css.flag}>{notOpen(game)}</span>}
      <span className={marketCss.tileName}>{named(game.game_name)}</span>
      <span className={marketCss.tileCaption}>
        <span className="clip">{categoryName(familyOf(game).label)}</span>
        {provider && <span className="nowrap">{game.provider_name}</span>}
      </span>
    </>
  );
  return (
    <div className={cx(css.tile, !open && liveCss.off)}>
      {open ? (
        <Link className={marketCss.tile} to={gamePath(game)}>
          {inside}
        </Link>
      ) : (
        <div className={marketCss.tile}>{inside}</div>
      )}
      <button
        type="button"
        className={css.star}
        aria-pressed={marked}
        aria-label={t`${{ name: named(game.game_name) }} is a favourite`}
        title={marked ? t`Take out of favourites` : t`Add to favourites`}
        onClick={() => onMark(markOf(game))}
      >
        <Icon of={marked ? IconStarFilled : IconStar} size={17} />
      </button>
    </div>
  );
}

/** Why a game is no link, in a word or two. */
export function notOpen({ status }: Pick<LiveGame, 'status'>): string {
  return status.toUpperCase() === 'MAINTENANCE' ? t`In maintenance` : t`Not open now`;
}

/** The provider's picture; our own drawing of the family until it is there, and where it never comes. */
export function GameArt({ game, eager = false }: { game: LiveGame; eager?: boolean }) {
  const family = familyOf(game);
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span className={cx(marketCss.tileArt, gameArtCss.art, gameArtCss[family.id])}>
      <Icon of={family.icon} size={44} />
      {game.url_thumb !== '' && failed !== game.url_thumb && (
        <img
          src={game.url_thumb}
          alt=""
          width={320}
          height={240}
          loading={eager ? 'eager' : 'lazy'}
          referrerPolicy="no-referrer"
          onError={() => setFailed(game.url_thumb)}
        />
      )}
    </span>
  );
}
