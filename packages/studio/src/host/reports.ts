/** What the operator may ask of a provider: its list, details of a round, its movements of a period. Demo play is in none. */
import type { AnyGame } from '../game.ts';
import type { ListedGame, RoundProof } from '../wire.ts';
import type { Core } from './core.ts';
import { proofOf } from './page.ts';
import type { Table } from './shared.ts';
import type { Tx } from './store.ts';

export interface ReportedTx {
  readonly tx: string;
  readonly kind: Exclude<Tx['kind'], 'round-end'>;
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
  /** Null while it is open; a list where the player has several bets in a shared round. */
  readonly proof: RoundProof | readonly RoundProof[] | null;
}

export interface Reports {
  list(): readonly (ListedGame & { readonly subProvider: string; readonly updatedAt: number })[];
  /** `id` as the wallet knows it; a shared round is asked for with its player. */
  round(id: string, player: string | null): ReportedRound | null;
  /** From inclusive, to exclusive; at most `most` of them, `next` is the cursor of the rest. */
  transactions(
    fromMs: number,
    toMs: number,
    after: string | null,
  ): { rows: readonly ReportedTx[]; next: string | null };
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
    kind: tx.kind as ReportedTx['kind'],
    player: tx.player,
    round: tx.walletRound,
    game: tx.game,
    currency: tx.currency,
    amountMinor: tx.amountMinor,
    creditMinor: tx.kind === 'debit-credit' || tx.refTx?.endsWith('.x') ? tx.creditMinor : null,
    refTx: tx.refTx,
    at: tx.at,
    state: tx.state === 'done' ? 'DONE' : 'PENDING',
  });
  const told = (tx: Tx) => tx.state !== 'refused' && tx.state !== 'none' && tx.kind !== 'round-end';

  return {
    list: () => listed,
    round(id, player) {
      const one = player === null ? store.rounds.get(id) : undefined;
      const bets = one ? [one] : store.inWalletRound(id, player ?? '');
      const real = bets.filter((round) => round.mode === 'real');
      const first = real[0];
      if (first === undefined) return null;
      const counted = real.filter((round) => round.status !== 'void');
      const open = counted.some((round) => round.status !== 'over');
      const proofs = counted.flatMap((round) => proofOf(round, tables.get(round.game)) ?? []);
      return {
        id,
        game: first.game,
        player: first.player,
        currency: first.currency,
        status: open ? 'OPEN' : counted.length > 0 ? 'CLOSED' : 'VOID',
        startedAt: first.startedAt,
        endedAt: open ? null : Math.max(...real.map((round) => round.endedAt ?? round.lastAt)),
        stakeMinor: counted.reduce((sum, round) => sum + round.stakeMinor, 0),
        paidMinor: counted.reduce((sum, round) => sum + round.paidMinor, 0),
        transactions: real
          .flatMap((round) => store.txsOf(round.id))
          .filter(told)
          .map(reported),
        proof: open || proofs.length === 0 ? null : proofs.length === 1 ? (proofs[0] ?? null) : proofs,
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
