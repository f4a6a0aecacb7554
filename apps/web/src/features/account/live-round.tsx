import { formatDateTime } from '../../ui/format.ts';
import { Modal } from '../../ui/modal.tsx';
import { Money, SignedMoney } from '../../ui/money.tsx';
import { Kpi, Kpis } from '../../ui/panel.tsx';
import type { LiveBetRow } from './live-casino-bets.tsx';

/** One round at a provider's game: what was staked, what came back. */
export function LiveRound({ row, onClose }: { row: LiveBetRow; onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title={row.gameName} width="l">
      <div className="stack g-5">
        <Kpis>
          <Kpi label="Stake">
            <Money minor={row.stake} />
          </Kpi>
          <Kpi label="Paid back">
            <Money minor={row.stake + row.result} />
          </Kpi>
          <Kpi label="Result">
            <SignedMoney minor={row.result} />
          </Kpi>
        </Kpis>
        <dl className="facts">
          <div>
            <dt>Provider</dt>
            <dd>{row.providerName}</dd>
          </div>
          <div>
            <dt>Round</dt>
            <dd className="num">{row.round}</dd>
          </div>
          <div>
            <dt>Date</dt>
            <dd>{formatDateTime(Date.parse(row.createdAt))}</dd>
          </div>
        </dl>
      </div>
    </Modal>
  );
}
