/** Live Casino Bets: a player's rounds at the providers, a row a round, and one round with its movements and its proof. */
import {
  type CALLS,
  CodedError,
  filterValues,
  PAGE,
  parseFilter,
  parseSort,
  type QueryOf,
  type ReplyOf,
} from '@fairgame/contract';
import type { World } from '../core/types.ts';
import type { Db, Log } from '../db/db.ts';
import { likeText } from '../ledger/ledger.ts';
import type { ProviderSettings } from '../provider-settings.ts';
import type { Lobby } from './lobby.ts';
import type { WalletDesk } from './movement.ts';
import type { Outbound } from './outbound.ts';

type BetsQuery = QueryOf<typeof CALLS.provider.bets>;
type BetsReply = ReplyOf<typeof CALLS.provider.bets>;
type RoundReply = ReplyOf<typeof CALLS.provider.round>;
type BetRow = BetsReply['rows'][number];

const SORT: Readonly<Record<string, string>> = {
  'virtualCasinoBetPlaced.createdAt': 'r.opened_at',
  createdAt: 'r.opened_at',
};
const STATUS: Readonly<Record<string, BetRow['status']>> = { OPEN: 'OPEN', SETTLED: 'CLOSED', REFUNDED: 'VOID' };

interface Owner {
  userId: number;
  world: World;
}

interface Row {
  id: number;
  provider: string;
  roundId: string;
  game: string;
  status: string;
  staked: number;
  paid: number;
  refunded: number;
  openedAt: number;
  closedAt: number;
}

/** A round is known by the command of its first movement: a whole number that never changes and is no other round's. */
const COLUMNS = `(SELECT t.seq FROM provider_txs t WHERE t.account_id = r.account_id AND t.at >= r.opened_at
    AND t.provider = r.provider AND t.round_id = r.round_id ORDER BY t.at, t.seq LIMIT 1) AS id,
  r.provider, r.round_id AS "roundId", r.game, r.status, r.staked, r.paid, r.refunded, r.opened_at AS "openedAt",
  r.closed_at AS "closedAt"`;

export interface Reports {
  /** Oldest first unless asked otherwise. Throws BAD_FILTER naming the field. */
  bets(owner: Owner, query: BetsQuery): Promise<BetsReply>;
  /** `id` of a row. Throws BET_UNKNOWN, also for a round of somebody else. */
  round(owner: Owner, id: number): Promise<RoundReply>;
}

export function createReports(opts: {
  db: Pick<Db, 'query'>;
  lobby: Lobby;
  desk: WalletDesk;
  providers: ReadonlyArray<{ settings: ProviderSettings; outbound: Outbound }>;
  log: Log;
}): Reports {
  return new RoundReports(opts);
}

class RoundReports implements Reports {
  private readonly db: Pick<Db, 'query'>;
  private readonly lobby: Lobby;
  private readonly desk: WalletDesk;
  private readonly providers: ReadonlyArray<{ settings: ProviderSettings; outbound: Outbound }>;
  private readonly log: Log;

  constructor(opts: {
    db: Pick<Db, 'query'>;
    lobby: Lobby;
    desk: WalletDesk;
    providers: ReadonlyArray<{ settings: ProviderSettings; outbound: Outbound }>;
    log: Log;
  }) {
    this.db = opts.db;
    this.lobby = opts.lobby;
    this.desk = opts.desk;
    this.providers = opts.providers;
    this.log = opts.log;
  }

  async bets(owner: Owner, query: BetsQuery): Promise<BetsReply> {
    const { sql, params } = this.conditions(owner, query);
    const sort = query.sort === undefined ? [] : parseSort(query.sort, Object.keys(SORT));
    const order = sort.map(({ column, direction }) => `${SORT[column]!} ${direction}, `).join('');
    const page = Number(query.page ?? PAGE.first);
    const limit = Number(query.limit ?? PAGE.casinoBets);
    const [count] = await this.db.query<{ total: number }>(
      `SELECT count(*) AS total FROM provider_rounds r WHERE ${sql}`,
      params,
    );
    const rows = await this.db.query<Row>(
      `SELECT ${COLUMNS} FROM provider_rounds r WHERE ${sql}
         ORDER BY ${order || 'r.opened_at ASC, '}r.provider, r.round_id
         LIMIT $${params.length + 1} OFFSET $${params.length + 2}`,
      [...params, limit, (page - 1) * limit],
    );
    return { rows: rows.map((row) => this.shown(row)), total: count!.total, page, limit };
  }

  async round({ userId, world }: Owner, id: number): Promise<RoundReply> {
    const [first] = await this.db.query<{ provider: string; roundId: string }>(
      `SELECT provider, round_id AS "roundId" FROM provider_txs WHERE account_id = $1 AND world = $2 AND seq = $3`,
      [userId, world, id],
    );
    const key = [userId, world, first?.provider ?? '', first?.roundId ?? ''];
    const where = 'account_id = $1 AND world = $2 AND provider = $3 AND round_id = $4';
    const [row] = first
      ? await this.db.query<Row>(
          `SELECT ${COLUMNS} FROM provider_rounds r WHERE r.account_id = $1 AND r.world = $2 AND r.provider = $3 AND r.round_id = $4`,
          key,
        )
      : [];
    if (!row || row.id !== id) throw new CodedError('BET_UNKNOWN');
    const movements = await this.db.query<{ kind: string; amount: number; credit: number; at: number }>(
      `SELECT kind, amount, credit, at FROM provider_txs WHERE ${where} ORDER BY at, seq LIMIT 1000`,
      key,
    );
    return {
      bet: this.shown(row),
      endedAt: row.closedAt === 0 ? null : new Date(row.closedAt).toISOString(),
      movements: movements.map(({ kind, amount, credit, at }) => ({
        kind: kind as RoundReply['movements'][number]['kind'],
        stakeMinor: amount,
        paidMinor: credit,
        createdAt: new Date(at).toISOString(),
      })),
      ...(await this.told(row, userId)),
    };
  }

  private byId(id: string) {
    return this.providers.find(({ settings }) => settings.id === id);
  }

  private shown(row: Row): BetRow {
    const over = row.status !== 'OPEN';
    return {
      id: row.id,
      providerName: this.byId(row.provider)?.settings.name ?? row.provider,
      gameName: this.lobby.game(row.provider, row.game)?.name ?? row.game,
      gameCode: row.game,
      round: row.roundId,
      stake: row.staked,
      // While a round is open nothing is won or lost yet.
      result: over ? row.paid + row.refunded - row.staked : 0,
      status: STATUS[row.status] ?? 'OPEN',
      createdAt: new Date(row.openedAt).toISOString(),
    };
  }

  private conditions({ userId, world }: Owner, query: BetsQuery): { sql: string; params: unknown[] } {
    const params: unknown[] = [];
    const texts: string[] = [];
    const put = (value: unknown): string => `$${params.push(value)}`;
    texts.push(`r.account_id = ${put(userId)}`, `r.world = ${put(world)}`);
    if (query.providerName) {
      const filter = parseFilter('providerName', query.providerName, ['eq']);
      const named = this.providers.find(({ settings }) => filter.op === 'eq' && settings.name === filter.value);
      texts.push(`r.provider = ${put(named?.settings.id ?? '')}`);
    }
    if (query.createdAt) {
      const filter = parseFilter('createdAt', query.createdAt, ['between']);
      // Both ends are midnights: a bet at the second one belongs to the day after (CAR-33).
      if (filter.op === 'between')
        texts.push(`r.opened_at >= ${put(Date.parse(filter.from))}`, `r.opened_at < ${put(Date.parse(filter.to))}`);
    }
    const states = filterValues('filter', query.filter, Object.values(STATUS));
    if (states) {
      const stored = Object.keys(STATUS).filter((name) => states.includes(STATUS[name]!));
      texts.push(`r.status = ANY(${put(stored)}::text[])`);
    }
    const by = query.searchBy ?? 'any';
    if (!['any', 'gameName', 'round', 'providerName'].includes(by))
      throw new CodedError('BAD_FILTER', { field: 'searchBy' });
    const keyword = query.keyword?.trim();
    if (keyword) {
      const either: string[] = [];
      if (by === 'any' || by === 'gameName')
        either.push(
          `r.game = ANY(${put(this.lobby.codesNamed(keyword))}::text[])`,
          `r.game ILIKE ${put(likeText(keyword))}`,
        );
      if (by === 'any' || by === 'round') either.push(`r.round_id ILIKE ${put(likeText(keyword))}`);
      if (by === 'providerName') {
        const word = keyword.toLowerCase();
        const ids = this.providers.filter(({ settings }) => settings.name.toLowerCase().includes(word));
        either.push(`r.provider = ANY(${put(ids.map(({ settings }) => settings.id))}::text[])`);
      }
      texts.push(`(${either.join(' OR ')})`);
    }
    return { sql: texts.join(' AND '), params };
  }

  /** What only the provider knows. Our own books are shown whether it answers or not. */
  private async told(row: Row, userId: number): Promise<Pick<RoundReply, 'reachable' | 'proof'>> {
    const provider = this.byId(row.provider);
    const playerRef = await this.desk.playerRef(row.provider, userId);
    if (!provider || playerRef === null) return { reachable: false, proof: null };
    try {
      const { proof } = await provider.outbound.round(row.roundId, playerRef);
      return { reachable: true, proof };
    } catch (error) {
      this.log.warn({ provider: row.provider, reason: (error as Error).message }, 'a round could not be looked up');
      return { reachable: false, proof: null };
    }
  }
}
