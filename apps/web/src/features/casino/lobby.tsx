import { ENDINGS, type TableCode } from '@fairgame/casino';
import { CALLS, type CardTile } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useMemo, useState } from 'react';
import { useCall } from '../../api/api.ts';
import { say } from '../../platform/language.ts';
import { named } from '../../platform/named.ts';
import { Link, useLocation, useNavigate } from '../../platform/routing.tsx';
import { useServerNow } from '../../platform/use-server-now.ts';
import { TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconArrowRight, IconBroadcast, IconSearch, IconSearchOff, IconShieldHeart } from '../../ui/icons.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { PHONE, useMedia } from '../../ui/media.ts';
import { EmptyState, ErrorNote, Note } from '../../ui/note.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { Segmented, Strip } from '../../ui/tabs.tsx';
import { Badge } from './badges.tsx';
import { BANNERS, CATEGORIES, categoryLabel, categoryName } from './categories.ts';
import { useFavourites } from './favourites.ts';
import { IconLayoutColumns, IconLayoutGrid, IconStar, IconStarFilled } from './icons.ts';
import { LiveGames } from './live/live-games.tsx';
import { lastPlayed } from './recent.ts';
import { isFound } from './search.ts';
import { stateOf } from './table-state.ts';
import { type CategoryId, LOBBY_TABLES, sideBySide, tableOf } from './tables.ts';
import './tokens.css';
import { cx } from '../../ui/cx.ts';
import marketCss from '../../ui/market.module.css';
import overlayCss from '../../ui/overlay.module.css';
import panelCss from '../../ui/panel.module.css';
import shellCss from '../../ui/shell.module.css';
import gameTileCss from './game-tile.module.css';
import css from './lobby.module.css';
import resultsCss from './results.module.css';

type Choice = 'all' | 'favourites' | CategoryId;

/** The casino's lobby: `/casino` shows the tables, `/live-casino` the tables and before them the providers' games. */
export function Screen() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const live = pathname === '/live-casino';
  const phone = useMedia(PHONE);
  const [search, setSearch] = useState('');
  return (
    <>
      <PageHead title={live ? t`Live Casino` : t`Casino`}>
        <Segmented
          label={t`Kind of games`}
          value={live ? 'live' : 'tables'}
          onChange={(kind) => void navigate(kind === 'live' ? '/live-casino' : '/casino')}
          items={{ tables: t`Tables`, live: t`Live Casino` }}
        />
        {!phone && (
          <LinkButton size="sm" icon={IconLayoutColumns} to={sideBySide(lastPlayed().slice(0, 2))}>
            {t`Side by side`}
          </LinkButton>
        )}
        <TextInput
          className={css.find}
          type="search"
          icon={IconSearch}
          placeholder={t`Find a game`}
          aria-label={t`Find a game`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </PageHead>
      <Banners />
      {live && <LiveGames search={search} />}
      <Tables search={search} live={live} />
      {!live && search.trim() !== '' && <LiveGames search={search} beside />}
      <Note icon={IconShieldHeart}>
        <Trans>
          <b>Casino rounds are quick.</b> You can set a time or loss limit in{' '}
          <Link className="link" to="/player-protection">
            Player protection
          </Link>
          .
        </Trans>
      </Note>
    </>
  );
}

function Banners() {
  return (
    <nav className={cx(css.banners, shellCss.bleed)} aria-label={t`Highlights`}>
      {BANNERS.map((banner) => (
        <Link
          key={banner.id}
          className={css.banner}
          to={`/live-casino?category=${encodeURIComponent(banner.category)}`}
        >
          <img src={banner.image} alt="" width={640} height={220} />
          <span className={css.bannerText}>
            <b>{categoryName(banner.name)}</b>
            <span>{say(banner.line)}</span>
          </span>
        </Link>
      ))}
    </nav>
  );
}

function Tables({ search, live }: { search: string; live: boolean }) {
  const tiles = useCall(CALLS.casino.tiles, {}, { keep: true, refetchMs: 5000 });
  const { marked, toggle } = useFavourites();
  const [choice, setChoice] = useState<Choice>('all');
  const last = useMemo(() => lastPlayed()[0], []);
  const byCode = useMemo(() => new Map((tiles.data ?? []).map((tile) => [tile.code, tile])), [tiles.data]);
  const now = useServerNow();

  // The order is ours; what the server does not offer is not shown.
  const offered = LOBBY_TABLES.filter(({ code }) => byCode.has(code));
  const words = search.trim();
  const shown = offered.filter(
    ({ code, name, category }) =>
      (choice === 'all' || (choice === 'favourites' ? marked.has(code) : category === choice)) &&
      isFound(search, `${name} ${named(name)} ${categoryLabel(category)} ${code}`),
  );
  const featured = words === '' && choice === 'all' ? (shown.find(({ code }) => code === last) ?? shown[0]) : undefined;
  return (
    <section aria-label={t`Tables`} className={cx('stack', css.part)}>
      {live && <h2 className={css.head}>{t`Tables`}</h2>}
      <Strip
        label={t`Categories`}
        value={choice}
        onChange={(id) => setChoice(id as Choice)}
        items={categoryItems(offered, marked)}
      />
      {tiles.isError && !tiles.data ? (
        <ErrorNote title={t`The tables did not load.`} onRetry={() => void tiles.refetch()}>
          {t`Your bets and balance are not affected.`}
        </ErrorNote>
      ) : tiles.isPending ? (
        <Skeletons />
      ) : shown.length === 0 ? (
        <section className={panelCss.panel}>
          <EmptyState
            icon={choice === 'favourites' ? IconStar : IconSearchOff}
            title={choice === 'favourites' && words === '' ? t`No favourites yet` : t`No table found`}
          >
            {choice === 'favourites' && words === ''
              ? t`Press the star on a table to keep it here.`
              : t`Try another word or category.`}
          </EmptyState>
        </section>
      ) : (
        <div className={css.lobby}>
          {featured && (
            <Tile
              tile={byCode.get(featured.code)!}
              now={now}
              marked={marked.has(featured.code)}
              onMark={toggle}
              featured={featured.code === last ? t`Last played` : t`Start here`}
            />
          )}
          {shown
            .filter((one) => one !== featured)
            .map(({ code }) => (
              <Tile key={code} tile={byCode.get(code)!} now={now} marked={marked.has(code)} onMark={toggle} />
            ))}
          {!live && choice === 'all' && words === '' && <LiveCasinoTile />}
        </div>
      )}
    </section>
  );
}

function categoryItems(offered: typeof LOBBY_TABLES, marked: ReadonlySet<string>) {
  return [
    { id: 'all', label: t`All`, icon: IconLayoutGrid, count: offered.length },
    {
      id: 'favourites',
      label: t`Favourites`,
      icon: IconStar,
      count: offered.filter(({ code }) => marked.has(code)).length,
    },
    ...CATEGORIES.map(({ id, icon }) => ({
      id,
      label: categoryLabel(id),
      icon,
      count: offered.filter(({ category }) => category === id).length,
    })),
  ];
}

function LiveCasinoTile() {
  return (
    <Link className={cx(marketCss.tile, gameTileCss.wide)} to="/live-casino">
      <span className={cx('row g-4', css.wide)}>
        <Icon of={IconBroadcast} size={20} />
        {t`Live Casino`}
      </span>
      <span className="t2">{t`Roulette, game shows and more, grouped by provider.`}</span>
      <span className={cx('row g-2', css.more)}>
        {t`Browse live games`} <Icon of={IconArrowRight} size={16} />
      </span>
    </Link>
  );
}

/** A table of the lobby: its picture, its name, what it does at this moment. The whole tile is one link; the star is its own button. */
export function Tile({
  tile,
  now,
  marked,
  onMark,
  featured,
}: {
  tile: CardTile;
  now: number;
  marked: boolean;
  onMark: (code: string) => void;
  /** The flag of the large tile. */
  featured?: string;
}) {
  const table = tableOf(tile.code);
  const name = named(table?.name ?? tile.name);
  const state = stateOf(tile, now);
  const badges = tile.lastBadges.slice(0, featured ? 8 : 4);
  const strip = badges.length > 0 && (
    <span className={resultsCss.results} role="img" aria-label={t`Last results: ${{ results: badges.join(', ') }}`}>
      {badges.map((badge, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same badge comes again and again; its place is its name
        <Badge key={at} endings={ENDINGS[tile.code as TableCode] ?? []} badge={badge} small={!featured} />
      ))}
    </span>
  );
  return (
    <div className={cx(gameTileCss.tile, featured && gameTileCss.tileFeatured)}>
      <Link className={cx(marketCss.tile, featured && gameTileCss.featured)} to={tile.url}>
        <span className={marketCss.tileArt}>
          <img src={tile.imgSrc} alt="" width={320} height={240} loading={featured ? 'eager' : 'lazy'} />
          {featured && <Featured flag={featured} name={name} state={state} strip={strip} />}
        </span>
        {!featured && (
          <>
            <span className={marketCss.tileName}>{name}</span>
            <span className={marketCss.tileCaption}>
              {strip || <span className="clip">{table ? categoryLabel(table.category) : tile.category}</span>}
              <span className="num">{state}</span>
            </span>
          </>
        )}
      </Link>
      <button
        type="button"
        className={gameTileCss.star}
        aria-pressed={marked}
        aria-label={t`${name} is a favourite`}
        title={marked ? t`Take out of favourites` : t`Add to favourites`}
        onClick={() => onMark(tile.code)}
      >
        <Icon of={marked ? IconStarFilled : IconStar} size={17} />
      </button>
    </div>
  );
}

/** What lies over the picture of the large tile. */
function Featured({ flag, name, state, strip }: { flag: string; name: string; state: string; strip: ReactNode }) {
  return (
    <>
      <span className={gameTileCss.flag}>{flag}</span>
      <span className={gameTileCss.over}>
        <span className="row between">
          <b className={gameTileCss.name}>{name}</b>
          <span className={cx('num', gameTileCss.state)}>{state}</span>
        </span>
        <span className="row between">
          {strip || <span />}
          <span className={cx('row g-2', gameTileCss.state, 'nowrap')}>
            {t`Open table`} <Icon of={IconArrowRight} size={16} />
          </span>
        </span>
      </span>
    </>
  );
}

function Skeletons() {
  return (
    <div className={css.lobby} aria-hidden="true">
      {Array.from({ length: 12 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
        <div key={at} className={gameTileCss.tile}>
          <span className={cx(marketCss.tileArt, overlayCss.skeleton)} />
          <span className={marketCss.tileName}>&nbsp;</span>
        </div>
      ))}
    </div>
  );
}
