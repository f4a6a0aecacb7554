import { CALLS, type CardTile } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { useCall } from '../../api/api.ts';
import { named } from '../../platform/named.ts';
import { Link } from '../../platform/routing.tsx';
import { cx } from '../../ui/cx.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconBroadcast, IconChevronRight } from '../../ui/icons.ts';
import marketCss from '../../ui/market.module.css';
import css from './lists.module.css';

/** The open card tables, from the lobby's own call; empty while the casino is shut. */
export function useCasinoTiles(): readonly CardTile[] {
  return useCall(CALLS.casino.tiles, {}, { keep: true }).data ?? NONE;
}
const NONE: readonly CardTile[] = [];

const IN_STRIP = 6;

/** A row of tables, one of each family, with the way to all of them. Nothing while there are none. */
export function CasinoStrip() {
  const tiles = useCasinoTiles();
  if (tiles.length === 0) return null;
  return (
    <section aria-labelledby="home-casino">
      <div className={css.stripHead}>
        <h2 id="home-casino">{t`Casino`}</h2>
        <Link className={css.stripAll} to="/casino">
          {t`All ${{ count: tiles.length }} tables`} <Icon of={IconChevronRight} size={15} />
        </Link>
      </div>
      <div className={css.strip}>
        {oneOfEach(tiles, IN_STRIP).map((tile) => (
          <Tile key={tile.code} tile={tile} />
        ))}
      </div>
    </section>
  );
}

/** All tables, and the way to the live games: the casino tab of the landing screen. */
export function CasinoTiles({ tiles }: { tiles: readonly CardTile[] }) {
  return (
    <section className={css.grid} aria-label={t`Casino tables`}>
      {tiles.map((tile) => (
        <Tile key={tile.code} tile={tile} />
      ))}
      <Link className={cx(marketCss.tile, css.gridLive)} to="/live-casino">
        <span className={marketCss.tileArt}>
          <Icon of={IconBroadcast} size={32} />
        </span>
        <span className={marketCss.tileName}>{t`Live Casino`}</span>
      </Link>
    </section>
  );
}

function Tile({ tile }: { tile: CardTile }) {
  return (
    <Link className={marketCss.tile} to={tile.url}>
      <span className={marketCss.tileArt}>
        <img src={tile.imgSrc} alt="" width={320} height={240} loading="lazy" />
      </span>
      <span className={marketCss.tileName}>{named(tile.name)}</span>
    </Link>
  );
}

/** The first table of each family, then the others in their order. */
function oneOfEach(tiles: readonly CardTile[], count: number): CardTile[] {
  const first = tiles.filter((tile, at) => tiles.findIndex((one) => one.category === tile.category) === at);
  return [...first, ...tiles.filter((tile) => !first.includes(tile))].slice(0, count);
}
