/** What the operator may ask of a provider: its list, details of a round, its movements of a period. Demo play is in none. */
import type { AnyGame } from '../game.ts';
import type { ListedGame, RoundProof } from '../wire.ts';
import type { Core } from './core.ts';
import { proofOf } from './page.ts';
import type { Table } from './shared.ts';
import type { Tx } from './store.ts';

export interface ReportedTx {
  readonly tx: string;
  readonly kind: Tx['kind'];
  readonly player: string;
  readonly round: string;
  readonly game: string;
  readonly currency: string;
  readonly amountMinor: number;
  /** Of a debit-credit, and of a rollback of one. */
  readonly creditMinor: number | null;
  readonly refTx: string | null;
  readonly at: number;
  readonly state: 'DONE' | 'PENDING';
}

export interface ReportedRound {
  readonly id: string;
  readonly game: string;
  readonly player: string;
  readonly currency: string;
  readonly status: 'OPEN' | 'CLOSED' | 'VOID';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly stakeMinor: number;
  readonly paidMinor: number;
  readonly transactions: readonly ReportedTx[];
  readonly proof: RoundProof | null;
}

export interface Reports {
  list(): readonly (ListedGame & { readonly subProvider: string; readonly updatedAt: number })[];
  round(id: string, player: string | null): ReportedRound | null;
  /** From inclusive, to exclusive; at most `most` of them, `next` is the cursor of the rest. */
  transactions(fromMs: number, toMs: number, after: string | null): { rows: readonly ReportedTx[]; next: string | null };
}

const MOST_ROWS = 1000;

export function createReports(core: Core, tables: ReadonlyMap<string, Table>): Reports {
  const { store, games, provider } = core;
  const startedAt = core.clock.now();
  const listed = [...games.values()].map((game) => ({
    ...listedGame(game),
    subProvider: provider.subProvider,
    updatedAt: startedAt,
  }));

  const reported = (tx: Tx): ReportedTx => ({
    tx: tx.id,
    kind: tx.kind,
    player: tx.player,
    round: tx.round,
    game: tx.game,
    currency: tx.currency,
    amountMinor: tx.amountMinor,
    creditMinor: tx.kind === 'debit-credit' || tx.refTx?.endsWith('.x') ? tx.creditMinor : null,
    refTx: tx.refTx,
    at: tx.at,
    state: tx.state === 'done' ? 'DONE' : 'PENDING',
  });
  const told = (tx: Tx) => tx.state !== 'refused' && tx.state !== 'none';

  return {
    list: () => listed,
    round(id, player) {
      const round = store.rounds.get(id);
      if (round === undefined || round.mode === 'demo' || (player !== null && round.player !== player)) return null;
      const status =
        round.status === 'over' ? 'CLOSED' : round.status === 'void' ? 'VOID' : 'OPEN';
      return {
        id,
        game: round.game,
        player: round.player,
        currency: round.currency,
        status,
        startedAt: round.startedAt,
        endedAt: round.endedAt,
        stakeMinor: round.stakeMinor,
        paidMinor: round.paidMinor,
        transactions: store.txsOf(id).filter(told).map(reported),
        proof: proofOf(round, tables.get(round.game)),
      };
    },
    transactions(fromMs, toMs, after) {
      const rows = [...store.txs.values()]
        .filter((tx) => tx.mode === 'real' && told(tx) && tx.at >= fromMs && tx.at < toMs)
        .map((tx) => ({ cursor: `${String(tx.at).padStart(15, '0')}:${tx.id}`, tx }))
        .filter(({ cursor }) => after === null || cursor > after)
        .sort((one, other) => (one.cursor < other.cursor ? -1 : 1));
      const page = rows.slice(0, MOST_ROWS);
      return {
        rows: page.map(({ tx }) => reported(tx)),
        next: rows.length > MOST_ROWS ? (page.at(-1)?.cursor ?? null) : null,
      };
    },
  };
}

function listedGame(game: AnyGame): ListedGame {
  const returns = game.returns().map((row) => row.ppm);
  return {
    code: game.code,
    name: game.name,
    category: game.category,
    family: game.family,
    thumb: `/thumb/${game.code}.svg`,
    status: 'ACTIVE',
    minStakeMinor: game.minStakeMinor,
    maxStakeMinor: game.maxStakeMinor,
    returnPpm: [Math.min(...returns), Math.max(...returns)],
  };
}
