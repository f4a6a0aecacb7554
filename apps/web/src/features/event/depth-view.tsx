import { LADDER, type MatchDetails } from '@fairgame/contract';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useCancel } from '../../betting/cancel.ts';
import { CashOutAction } from '../../betting/cash-out.tsx';
import { veilOf } from '../../betting/kinds.ts';
import { pressPrice } from '../../betting/live-price.tsx';
import { type MarketPosition, sideOf, useOpenBets } from '../../betting/positions.ts';
import { useStakeButtons } from '../../betting/profile.ts';
import { useBroken, useDepth, useMarket, useTraded } from '../../live/hooks.ts';
import { useOneClick } from '../../slip/hooks.ts';
import { setOneClick } from '../../slip/slip.ts';
import { LiveBadge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Crest, crestCode } from '../../ui/crest.tsx';
import { formatOdds, formatShort, formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { IconArrowLeft, IconTarget, IconX } from '../../ui/icons.ts';
import { SignedMoney } from '../../ui/money.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Rail } from '../../ui/rail.tsx';
import { StakeButtons } from '../../ui/stepper.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Segmented } from '../../ui/tabs.tsx';
import { PriceHistory } from './price-history.tsx';

/** The whole book of a market's runners: one or two ladders side by side. */
export function DepthView({
  marketId,
  match,
  position,
  onClose,
}: {
  marketId: number;
  match: MatchDetails;
  position: MarketPosition | undefined;
  onClose: () => void;
}) {
  const market = useMarket(marketId);
  const traded = useTraded(marketId);
  const oneClick = useOneClick();
  const buttons = useStakeButtons('Match');
  const [count, setCount] = useState<'1' | '2'>('2');
  const [first, setFirst] = useState(0);
  // One-click is armed here and never outlives the view.
  useEffect(() => () => setOneClick(null), []);
  if (!market) return null;
  const runners = market.runners.filter((runner) => runner.status !== 'REMOVED');
  const shown = runners.slice(first, first + Number(count));
  return (
    <>
      <div className="mh">
        <IconButton icon={IconArrowLeft} label="Back to the event" onClick={onClose} />
        <h1>{match.title}</h1>
        {market.inPlay && <LiveBadge pill />}
        <span className="t2 num">
          {market.name} depth, matched {formatWhole(traded)}
        </span>
        <span className="grow" />
        {runners.length > 2 && (
          <select
            className="pgn__s"
            aria-label="First runner shown"
            value={first}
            onChange={(event) => setFirst(Number(event.target.value))}
          >
            {runners.map((runner, at) => (
              <option key={runner.id} value={at}>
                {runner.name}
              </option>
            ))}
          </select>
        )}
        <Segmented
          label="Ladders"
          value={count}
          onChange={setCount}
          items={[
            { id: '2', label: '2 ladders' },
            { id: '1', label: '1 ladder' },
          ]}
        />
      </div>
      <div className={oneClick === null ? 'armed' : 'armed is-on'}>
        <Switch
          after
          checked={oneClick !== null}
          onChange={(on) => setOneClick(on ? (buttons[0]?.stakeMinor ?? 100) : null)}
        >
          {oneClick === null ? 'One-click is off' : 'One-click is on'}
        </Switch>
        <span className="t2 fs-12 grow">
          {oneClick === null
            ? 'A press in Back or Lay puts the price into the slip.'
            : 'A press in Back or Lay places the stake at that price, with no second question. It turns off when you leave.'}
        </span>
        {oneClick !== null && (
          <StakeButtons
            items={buttons.slice(0, 5).map((button) => ({ label: button.label, value: button.stakeMinor }))}
            value={oneClick}
            onPick={setOneClick}
          />
        )}
      </div>
      <div className={shown.length > 1 ? 'two' : undefined}>
        {shown.map((runner) => (
          <Ladder
            key={runner.id}
            marketId={marketId}
            runnerId={runner.id}
            name={runner.name}
            match={match}
            position={position}
          />
        ))}
      </div>
      <Rail slot="more">
        <PriceHistory market={market} title="Prices" />
        <Panel title="Keys" small flush={false}>
          <dl className="keys">
            <dt>Move one tick</dt>
            <dd>
              <kbd>↑</kbd> <kbd>↓</kbd>
            </dd>
            <dt>Back or lay at the marked row</dt>
            <dd>
              <kbd>B</kbd> <kbd>L</kbd>
            </dd>
            <dt>Centre</dt>
            <dd>
              <kbd>C</kbd>
            </dd>
            <dt>Cancel all unmatched</dt>
            <dd>
              <kbd>Esc</kbd>
            </dd>
          </dl>
        </Panel>
      </Rail>
    </>
  );
}

const ROWS = 27;
const PRICES = [...LADDER].reverse();

function Ladder({
  marketId,
  runnerId,
  name,
  match,
  position,
}: {
  marketId: number;
  runnerId: number;
  name: string;
  match: MatchDetails;
  position: MarketPosition | undefined;
}) {
  const market = useMarket(marketId)!;
  const depth = useDepth(marketId, runnerId);
  const broken = useBroken(marketId);
  const { data } = useOpenBets(match.id);
  const { cancel, cancelAll } = useCancel();
  const off =
    broken ||
    veilOf(
      market,
      market.runners.find((one) => one.id === runnerId),
    ) !== null;
  const [top, setTop] = useState<number | null>(null);
  const [row, setRow] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);

  const sums = useMemo(() => {
    const back = new Map(depth?.back ?? []);
    const lay = new Map(depth?.lay ?? []);
    const traded = new Map(depth?.traded ?? []);
    return { back, lay, traded, bestBack: depth?.back[0]?.[0] ?? 0, bestLay: depth?.lay[0]?.[0] ?? 0 };
  }, [depth]);
  const mine = useMemo(() => {
    const own = new Map<string, { id: number; size: number }>();
    for (const bet of data?.rows ?? [])
      if (bet.betId === marketId && bet.runnerId === runnerId && bet.remaining > 0)
        own.set(`${sideOf(bet)}.${bet.odds}`, {
          id: bet.id,
          size: (own.get(`${sideOf(bet)}.${bet.odds}`)?.size ?? 0) + bet.remaining,
        });
    return own;
  }, [data, marketId, runnerId]);

  const middle = depth?.last || sums.bestBack || sums.bestLay || 200;
  const centre = Math.max(
    0,
    Math.min(PRICES.length - ROWS, PRICES.findIndex((price) => price <= middle) - (ROWS >> 1)),
  );
  // The view stays where the player left it; until then it follows the last price.
  const from = top ?? centre;
  const prices = PRICES.slice(from, from + ROWS);
  const most = Math.max(1, ...sums.back.values(), ...sums.lay.values());
  const mostTraded = Math.max(1, ...sums.traded.values());
  const press = useCallback(
    (side: 'BACK' | 'LAY', price: number) =>
      pressPrice({ matchId: match.id, eventName: match.title, marketId, runnerId, side, price }),
    [match, marketId, runnerId],
  );

  const backMoney = [...sums.back.values()].reduce((sum, size) => sum + size, 0);
  const layMoney = [...sums.lay.values()].reduce((sum, size) => sum + size, 0);
  const share = backMoney + layMoney > 0 ? Math.round((backMoney / (backMoney + layMoney)) * 100) : 50;
  const net = position?.runners.find((one) => one.runnerId === runnerId)?.net ?? 0;
  const marked = row ?? PRICES.findIndex((price) => price <= middle);

  const onKey = (event: React.KeyboardEvent) => {
    const price = PRICES[marked];
    const move = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (move !== 0) {
      const next = Math.max(0, Math.min(PRICES.length - 1, marked + move));
      setRow(next);
      if (next < from || next >= from + ROWS) setTop(Math.max(0, Math.min(PRICES.length - ROWS, next - (ROWS >> 1))));
    } else if ((event.key === 'b' || event.key === 'l') && price !== undefined && !off)
      press(event.key === 'b' ? 'BACK' : 'LAY', price);
    else if (event.key === 'c') {
      setTop(null);
      setRow(null);
    } else if (event.key === 'Escape') void cancelAll([marketId]);
    else return;
    event.preventDefault();
  };

  return (
    <section className="panel" aria-label={`Ladder of ${name}`}>
      <div className="mk__h">
        <Crest code={crestCode(name)} name={name} size={26} />
        <div className="grow">
          <h3 className="fs-14">{name}</h3>
          <SignedMoney minor={net} />
        </div>
        <CashOutAction market={market} position={position} small />
        <IconButton
          icon={IconTarget}
          label="Centre"
          onClick={() => {
            setTop(null);
            setRow(null);
          }}
        />
      </div>
      <div className="lad__wom fs-12">
        <span className="c-back num">Back {share}%</span>
        <span className="wom" aria-hidden="true">
          <i className="wom__b" style={{ width: `${share}%` }} />
          <i className="wom__l" style={{ width: `${100 - share}%` }} />
        </span>
        <span className="c-lay num">{100 - share}% Lay</span>
      </div>
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: the ladder is one tab stop and takes the keys of its legend while it has the focus */}
      <div
        className="lad"
        ref={box}
        tabIndex={0}
        role="group"
        aria-label={`Prices of ${name}: arrows move, B backs, L lays`}
        onKeyDown={onKey}
        onWheel={(event) => setTop(Math.max(0, Math.min(PRICES.length - ROWS, from + Math.sign(event.deltaY) * 2)))}
      >
        <div className="lad__r lad__h">
          <span>Mine</span>
          <span className="c-back">Back</span>
          <span>Odds</span>
          <span className="c-lay">Lay</span>
          <span>Mine</span>
          <span className="lad__v">Matched</span>
        </div>
        {prices.map((price, at) => (
          <Row
            key={price}
            price={price}
            name={name}
            back={sums.back.get(price) ?? 0}
            lay={sums.lay.get(price) ?? 0}
            traded={sums.traded.get(price) ?? 0}
            most={most}
            mostTraded={mostTraded}
            best={price === sums.bestBack ? 'back' : price === sums.bestLay ? 'lay' : null}
            last={price === depth?.last}
            marked={from + at === row}
            // A line where the size of a tick changes.
            sep={at > 0 && bandOf(prices[at - 1]!) !== bandOf(price)}
            mineBack={mine.get(`BACK.${price}`)}
            mineLay={mine.get(`LAY.${price}`)}
            off={off}
            onPress={press}
            onCancel={cancel}
          />
        ))}
      </div>
      {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: see above */}
    </section>
  );
}

const bandOf = (price: number): number =>
  [200, 300, 400, 600, 1000, 2000, 3000, 5000, 10_000].findIndex((edge) => price < edge);

const Row = memo(function Row(props: {
  price: number;
  name: string;
  back: number;
  lay: number;
  traded: number;
  most: number;
  mostTraded: number;
  best: 'back' | 'lay' | null;
  last: boolean;
  marked: boolean;
  sep: boolean;
  mineBack: { id: number; size: number } | undefined;
  mineLay: { id: number; size: number } | undefined;
  off: boolean;
  onPress: (side: 'BACK' | 'LAY', price: number) => void;
  onCancel: (id: number) => Promise<void>;
}) {
  const {
    price,
    name,
    back,
    lay,
    traded,
    most,
    mostTraded,
    best,
    last,
    marked,
    sep,
    mineBack,
    mineLay,
    off,
    onPress,
    onCancel,
  } = props;
  const odds = formatOdds(price);
  const cell = (side: 'back' | 'lay', size: number) => (
    <button
      type="button"
      tabIndex={-1}
      className={[side === 'back' ? 'lad__b' : 'lad__l', best === side ? 'is-best' : size > 0 ? 'is-has' : '']
        .filter(Boolean)
        .join(' ')}
      aria-label={`${side === 'back' ? 'Back' : 'Lay'} ${name} at ${odds}${size > 0 ? `, ${formatWhole(size)} available` : ''}`}
      aria-disabled={off || undefined}
      onClick={off ? undefined : () => onPress(side === 'back' ? 'BACK' : 'LAY', price)}
    >
      {size > 0 && <i className="bar" style={{ width: `${Math.max(4, (size / most) * 100)}%` }} />}
      <span>{size > 0 ? formatWhole(size) : ''}</span>
    </button>
  );
  const chip = (bet: { id: number; size: number } | undefined) =>
    bet && (
      <button
        type="button"
        aria-label={`Cancel ${formatWhole(bet.size)} at ${odds}`}
        onClick={() => void onCancel(bet.id)}
      >
        {formatShort(bet.size)} <Icon of={IconX} size={11} />
      </button>
    );
  return (
    <div className={['lad__r', last && 'is-ltp', sep && 'is-sep', marked && 'is-mark'].filter(Boolean).join(' ')}>
      <span className="lad__my lad__my--b">{chip(mineBack)}</span>
      {cell('back', back)}
      <span className="lad__p">{odds}</span>
      {cell('lay', lay)}
      <span className="lad__my lad__my--l">{chip(mineLay)}</span>
      <span className="lad__v">
        {traded > 0 && <i className="bar" style={{ width: `${(traded / mostTraded) * 100}%` }} />}
        <span>{traded > 0 ? formatWhole(traded) : ''}</span>
      </span>
    </div>
  );
});
