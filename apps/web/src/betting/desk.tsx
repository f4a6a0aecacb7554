import type { MarketImage } from '@fairgame/contract';
import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { named } from '../platform/named.ts';
import { setOneClick } from '../slip/slip.ts';
import { IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { IconKeyboard } from '../ui/icons.ts';
import { COMPACT, PHONE, useMedia } from '../ui/media.ts';
import { Modal } from '../ui/modal.tsx';
import { Popover } from '../ui/popover.tsx';
import { Switch } from '../ui/switch.tsx';
import { Segmented } from '../ui/tabs.tsx';
import { AlertMe } from './alert-me.tsx';
import { deskLegend } from './desk-keys.ts';
import { DeskLadder } from './desk-ladder.tsx';
import { KeyList } from './ladder-keys.tsx';
import type { MarketPosition } from './positions.ts';
import { SlipDock } from './slip-dock.tsx';
import css from './desk.module.css';

interface Props {
  market: MarketImage;
  match: { id: number; title: string };
  position: MarketPosition | undefined;
  /** Runners in the order of their ladders; none: as many of the first as there is room for. */
  chosen: readonly number[];
  onChoose: (ids: readonly number[]) => void;
}

/** So many ladders at most: each is followed whole. */
const MOST = 6;

/** The ladders of a market side by side; on a phone one, the others behind tabs. */
export function Desk({ market, match, position, chosen, onChoose }: Props) {
  const phone = useMedia(PHONE);
  const compact = useMedia(COMPACT);
  const [follows, setFollows] = useState(false);
  const [first, setFirst] = useState<number | null>(null);
  const [keys, setKeys] = useState(false);
  // Its ladders are armed by themselves: what another screen armed must not place here.
  useEffect(() => setOneClick(null), []);
  const runners = market.runners.filter((runner) => runner.status !== 'REMOVED');
  const known = chosen.filter((id) => runners.some((runner) => runner.id === id));
  const wanted = known.length > 0 ? known : runners.slice(0, compact ? 2 : 3).map(({ id }) => id);
  const at = first !== null && wanted.includes(first) ? first : wanted[0];
  const shown = phone ? wanted.filter((id) => id === at) : wanted;
  const tabs = phone && wanted.length > 1;
  const follow = (
    <Switch after checked={follows} onChange={setFollows}>
      {t`Follow the market`}
    </Switch>
  );
  const nameOf = (id: number) => runners.find((runner) => runner.id === id)?.name ?? '';
  return (
    <div className={css.desk}>
      <div className={css.bar}>
        {/* A phone has its rows for prices: what is chosen once stands with the runners there. */}
        <RunnerChoice runners={runners} chosen={wanted} onChoose={onChoose}>
          {phone && follow}
        </RunnerChoice>
        {tabs && (
          <>
            <div className={css.tabs}>
              <Segmented
                label={t`Runner`}
                value={String(at)}
                onChange={(id) => setFirst(Number(id))}
                items={wanted.map((id) => ({ id: String(id), label: named(nameOf(id)) }))}
              />
            </div>
            <AlertMe market={market} runnerId={at!} />
          </>
        )}
        {!phone && (
          <>
            <span className="grow" />
            {follow}
            <IconButton icon={IconKeyboard} label={t`Keys`} onClick={() => setKeys(true)} />
          </>
        )}
      </div>
      <div className={css.ladders} style={{ '--ladders': shown.length } as object}>
        {shown.map((id) => (
          <DeskLadder
            key={id}
            market={market}
            runnerId={id}
            name={nameOf(id)}
            match={match}
            position={position}
            follows={follows}
            isNamed={!tabs}
          />
        ))}
      </div>
      <SlipDock marketId={market.id} corner />
      <Modal open={keys} onClose={() => setKeys(false)} title={t`Keys of a ladder`}>
        <p className="t2">{t`They are those of the ladder that has the focus.`}</p>
        <KeyList of={deskLegend()} />
      </Modal>
    </div>
  );
}

/** Which runners have a ladder. One stays. */
function RunnerChoice({
  runners,
  chosen,
  onChoose,
  children,
}: {
  runners: MarketImage['runners'];
  chosen: readonly number[];
  onChoose: Props['onChoose'];
  children: ReactNode;
}) {
  return (
    <Popover
      label={t`Runners with a ladder`}
      title={t`Runners`}
      align="start"
      trigger={
        <button type="button" className={css.runners}>
          <Trans>
            Runners{' '}
            <b className="num">
              {ph({ count: chosen.length })} of {ph({ total: runners.length })}
            </b>
          </Trans>
        </button>
      }
    >
      <div className={css.choice}>
        {runners.map(({ id, name }) => {
          const on = chosen.includes(id);
          return (
            <Checkbox
              key={id}
              checked={on}
              disabled={on ? chosen.length === 1 : chosen.length >= MOST}
              onChange={(next) => onChoose(next ? [...chosen, id] : chosen.filter((one) => one !== id))}
            >
              {named(name)}
            </Checkbox>
          );
        })}
        {children}
      </div>
    </Popover>
  );
}
