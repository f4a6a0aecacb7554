import { CALLS, type CardTile } from '@fairgame/contract';
import { Link } from 'react-router';
import { useCall } from '../../api/api.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconBroadcast, IconChevronRight } from '../../ui/icons.ts';
import './lists.css';

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
      <div className="cstrip__h">
        <h2 id="home-casino">Casino</h2>
        <Link className="cstrip__all" to="/casino">
          All {tiles.length} tables <Icon of={IconChevronRight} size={15} />
        </Link>
      </div>
      <div className="cstrip">
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
    <section className="cgrid" aria-label="Casino tables">
      {tiles.map((tile) => (
        <Tile key={tile.code} tile={tile} />
      ))}
      <Link className="tile cgrid__live" to="/live-casino">
        <span className="tile__art">
          <Icon of={IconBroadcast} size={32} />
        </span>
        <span className="tile__n">Live Casino</span>
      </Link>
    </section>
  );
}

function Tile({ tile }: { tile: CardTile }) {
  return (
    <Link className="tile" to={tile.url}>
      <span className="tile__art">
        <img src={tile.imgSrc} alt="" width={320} height={240} loading="lazy" />
      </span>
      <span className="tile__n">{tile.name}</span>
    </Link>
  );
}

/** The first table of each family, then the others in their order. */
function oneOfEach(tiles: readonly CardTile[], count: number): CardTile[] {
  const first = tiles.filter((tile, at) => tiles.findIndex((one) => one.category === tile.category) === at);
  return [...first, ...tiles.filter((tile) => !first.includes(tile))].slice(0, count);
}
