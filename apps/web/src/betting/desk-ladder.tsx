import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { named } from '../platform/named.ts';
import { useSlipOf } from '../slip/slip.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { IconChevronDown, IconTarget } from '../ui/icons.ts';
import { PHONE, useMedia } from '../ui/media.ts';
import { SignedMoney } from '../ui/money.tsx';
import { AlertMe } from './alert-me.tsx';
import { AskPassword } from './ask-password.tsx';
import { useCancel } from './cancel.ts';
import { countsOf, useDeskKeys } from './desk-keys.ts';
import { LadderBody } from './ladder-body.tsx';
import { EVENS } from './ladder-book.ts';
import { type AskedExit, Exits } from './ladder-exits.tsx';
import { useMarkedRow } from './ladder-keys.tsx';
import { type Asked, PressMenu, usePressMenu } from './ladder-menu.tsx';
import { closedAt } from './ladder-sums.ts';
import { ArmStrip, Cancels, Closing, MoreSettings, StakeRow, useShare } from './ladder-tools.tsx';
import { useView } from './ladder-view.ts';
import { RunnerCrest } from './runner-crest.tsx';
import { choicesAt, type Desk, type DeskProps, useDesk } from './use-desk.ts';
import { useHedge } from './use-hedge.ts';
import ladderCss from '../ui/ladder.module.css';
import marketTableCss from '../ui/market-table.module.css';
import panelCss from '../ui/panel.module.css';
import css from './desk.module.css';
import traderCss from './trader.module.css';

/** One runner's book to trade on: it bets its own stake where it is armed, its orders are dragged, and its tools are its own. */
export function DeskLadder(props: DeskProps & { follows: boolean; isNamed: boolean }) {
  const { market, runnerId } = props;
  const joined = useMedia(PHONE) && !props.isNamed;
  const name = named(props.name);
  const box = useRef<HTMLDivElement>(null);
  const desk = useDesk(props, box);
  const ways = useWays(market.id, runnerId, desk);
  const menu = usePressMenu(desk.leaveDrag);
  const { view, keys } = useRows(props, box, desk, ways, menu.ask);
  const slip = useSlipOf(market.id);
  const arm = (
    <ArmStrip armed={desk.armed} settings={desk.settings} cap={desk.cap} isShut={desk.state.closed !== null} />
  );
  return (
    <section
      className={cx(panelCss.panel, ladderCss.ladder, traderCss.trader, desk.armed.until !== null && css.armed)}
      aria-label={t`Ladder of ${name}`}
      {...menu.handlers}
      onPointerDown={(event) => {
        menu.handlers.onPointerDown(event);
        desk.onGrab(event);
      }}
    >
      <Head desk={desk} of={props} onCentre={keys.centre}>
        {joined && arm}
      </Head>
      {!joined && arm}
      <Tools {...props} desk={desk} ways={ways} />
      <LadderBody
        name={name}
        box={box}
        view={view}
        keys={keys}
        state={desk.state}
        picked={slip?.runnerId === runnerId && slip.phase !== 'done' ? slip : null}
        onPress={desk.press}
        onCancel={desk.cancel}
        more={desk.more}
        label={t`Prices of ${name}: arrows mark a row, B backs, L lays, question mark lists all keys`}
      >
        {desk.drag && <Dragged {...desk.drag} />}
      </LadderBody>
      {menu.asked && <PressMenu asked={menu.asked} {...choicesAt(menu.asked, desk)} onClose={menu.close} />}
      <Password of={[desk.placing, ways.runner, ways.all]} />
    </section>
  );
}

/** Ways out of the position: closing, in part or whole, and what the server may hold. */
function useWays(marketId: number, runnerId: number, { armed }: Desk) {
  const share = useShare();
  const [exit, setExit] = useState<AskedExit | null>(null);
  const isArmed = armed.until !== null;
  const runner = share.guard(useHedge({ marketId, runnerId, share: share.of }, isArmed));
  const all = share.guard(useHedge({ marketId, share: share.of }, isArmed));
  return { share, exit, setExit, runner, all };
}
type Ways = ReturnType<typeof useWays>;

/** Which rows are in sight, and what keys do there. */
function useRows(
  { market, follows }: DeskProps & { follows: boolean },
  box: RefObject<HTMLDivElement | null>,
  desk: Desk,
  { setExit, runner, all }: Ways,
  openMenu: (asked: Asked) => void,
) {
  const { state, waiting } = desk;
  const { cancelAll } = useCancel();
  const begin = state.begin ?? EVENS;
  const view = useView(box, state.begin);
  const { onKey } = useDeskKeys({
    desk,
    box,
    openExit: (kind, price) => setExit({ kind, price, isKeyed: true }),
    openMenu,
    hedge: () => void runner.press(),
    hedgeAll: () => void all.press(),
  });
  const keys = useMarkedRow(view, begin, {
    bet: state.off ? null : desk.bet,
    cancelAll: waiting.length > 0 ? () => void cancelAll([market.id]) : null,
    more: onKey,
  });
  useFollow(follows, view.centre, begin, box, desk.drag !== null);
  return { view, keys };
}

function Tools({ market, runnerId, position, desk, ways }: DeskProps & { desk: Desk; ways: Ways }) {
  const { standing, state, settings, change } = desk;
  const phone = useMedia(PHONE);
  const [shown, setShown] = useState(false);
  const best = standing && (standing.win > standing.lose ? state.book.bestLay : state.book.bestBack);
  return (
    <div className={css.tools}>
      <StakeRow settings={settings} change={change} presets={desk.presets}>
        <MoreSettings settings={settings} change={change} />
        {phone && (
          <IconButton
            icon={IconChevronDown}
            small
            label={t`Ways out`}
            aria-expanded={shown}
            onClick={() => setShown(!shown)}
          />
        )}
      </StakeRow>
      {(!phone || shown) && (
        <>
          <Closing
            share={ways.share}
            runner={ways.runner}
            all={ways.all}
            value={standing && best ? closedAt(standing, best) : null}
            none={{
              runner: state.closed !== null || standing === null || standing.win === standing.lose,
              all: state.closed !== null || position === undefined,
            }}
          />
          <Cancels counts={countsOf(desk)} onCancel={desk.cancelSide}>
            <Exits desk={desk} marketId={market.id} runnerId={runnerId} open={ways.exit} onOpen={ways.setExit} />
          </Cancels>
        </>
      )}
    </div>
  );
}

interface Asks {
  password: { go: () => void } | null;
  leavePassword: () => void;
}

/** After an idle hour: what was pressed waits for the password. */
function Password({ of }: { of: readonly Asks[] }) {
  const one = of.find(({ password }) => password !== null);
  if (!one) return null;
  return (
    <AskPassword
      action={t`Go on`}
      onProven={() => {
        one.leavePassword();
        one.password!.go();
      }}
      onLeave={one.leavePassword}
    >
      {t`You have been away for a while. Your password confirms that it is you; then what you pressed is done.`}
    </AskPassword>
  );
}

/** Keeps the market in the middle, where the player wants that; never under a pointer, nor while something is dragged. */
function useFollow(
  follows: boolean,
  centre: () => void,
  middle: number,
  box: RefObject<HTMLDivElement | null>,
  isDragging: boolean,
): void {
  const isUnder = useRef(false);
  const follow = useEffectEvent(() => {
    if (follows && !isDragging && !isUnder.current) centre();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the market's own moves are what it follows
  useEffect(() => follow(), [follows, middle, isDragging]);
  useEffect(() => {
    const element = box.current;
    const turn = ({ type, pointerType }: PointerEvent) => {
      isUnder.current = type === 'pointerenter';
      // What a finger leaves may be scrolling still: the market's next move takes it back.
      if (pointerType !== 'touch') follow();
    };
    const stop = new AbortController();
    for (const name of ['pointerenter', 'pointerleave'] as const)
      element?.addEventListener(name, turn, { signal: stop.signal });
    return () => stop.abort();
  }, [box]);
}

/** Whose ladder it is and how he stands there; where a tab names it already, in one line with what a press does (`children`). */
function Head({
  desk,
  of: { market, runnerId, name, isNamed },
  onCentre,
  children,
}: {
  desk: Desk;
  /** Not named where a tab above says the name. */
  of: DeskProps & { isNamed: boolean };
  onCentre: () => void;
  children: ReactNode;
}) {
  const { standing } = desk;
  return (
    <div className={cx(marketTableCss.head, css.head)}>
      {isNamed && <RunnerCrest name={name} />}
      {children}
      <div className="grow">
        <h2 className={isNamed ? 'fs-14' : 'sr'}>{named(name)}</h2>
        <span className="fs-12 num">
          {standing ? (
            <Trans>
              Wins <SignedMoney minor={standing.win} />, else <SignedMoney minor={standing.lose} />
            </Trans>
          ) : (
            <span className="t3">{t`No matched bets`}</span>
          )}
        </span>
      </div>
      {isNamed && <AlertMe market={market} runnerId={runnerId} />}
      <IconButton icon={IconTarget} label={t`Centre`} onClick={onCentre} />
    </div>
  );
}

/** What is dragged, at the pointer. */
function Dragged({ x, y, over, text }: NonNullable<Desk['drag']>) {
  return (
    <span className={cx(css.dragged, over === null && 'is-out')} style={{ insetInlineStart: x, insetBlockStart: y }}>
      {over === null ? t`Cancel ${text}` : text}
    </span>
  );
}
