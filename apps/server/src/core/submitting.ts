/**
 * The way of a request into the writer's queue: what is known under its key, who else is under way with it, and what has left
 * memory and must be fetched for it.
 *
 * A key is settled once and for good: by what was taken under it, by the refusal, or as burnt (INV-08). A request that could
 * not be decided (BUSY, UNAVAILABLE), waits for a person (payouts.ts) or came too soon (TOO_FAST), leaves its key free.
 */
import { performance } from 'node:perf_hooks';
import { CodedError } from '@fairgame/contract';
import type { Command, RoundView, State } from '@fairgame/exchange';
import { isSettling, type MarketId, marketView, roundKey, roundOf } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { RoundPace } from '../round-pace.ts';
import type { Refusal } from './answers.ts';
import type { Item } from './batch.ts';
import type { CoreClock } from './clock.ts';
import { type Kept, type Keys, keyId } from './keys.ts';
import { isOverForPlay, readArchives, recallsOf } from './market-archives.ts';
import { isPaying, type Payouts } from './payouts.ts';
import type { Answer, Core, CoreMeter, Request, World } from './types.ts';
import { inTerms, openWorlds, type Terms, type Worlds } from './worlds.ts';
import type { Writer } from './writer.ts';

export type Submitting = Pick<Core, 'submit' | 'submitAll' | 'answerOf' | 'isBurnt' | 'burn' | 'refuse'>;

interface Parts {
  db: Pick<Db, 'query'>;
  log: Log;
  writer: Pick<Writer, 'enqueue' | 'committed'>;
  keys: Keys;
  payouts: Payouts;
  pace: RoundPace;
  clock: CoreClock;
  terms: (world: World) => Terms;
  meter?: CoreMeter | undefined;
}

export function createSubmitting(parts: Parts): Submitting {
  const entry = new Entry(parts);
  const keyed = new KeyedEntry(parts, entry);
  const submit = (request: Request) => keyed.submit(request);
  return {
    submit,
    submitAll: (requests) =>
      Promise.all(
        requests.map((request) =>
          submit(request).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
        ),
      ),
    async answerOf(actor, key) {
      const fate = await keyed.fateOf(actor, key);
      return fate?.is === 'taken' ? { ...fate.answer, replayed: true } : null;
    },
    isBurnt: async (actor, key) => (await keyed.fateOf(actor, key))?.is === 'burnt',
    burn: (actor, key) => keyed.settle({ actor, key }),
    async refuse(request, error) {
      if (request.key === undefined) throw error;
      const { code, field, current } = error;
      const first = await keyed.settle({ ...request, key: request.key }, { code, field, current });
      if (!first) throw error;
      // Taken before: told again when it is the same request.
      return submit(request);
    },
  };
}

/** Requests under a key: the first decides, all others hear what became of it. */
class KeyedEntry {
  private readonly parts: Parts;
  private readonly entry: Entry;
  private readonly flying = new Map<string, { payloadHash: string; answer: Promise<Answer | null> }>();

  constructor(parts: Parts, entry: Entry) {
    this.parts = parts;
    this.entry = entry;
  }

  submit(request: Request): Promise<Answer> {
    const { actor, key } = request;
    if (key === undefined) return this.entry.enqueue(request);
    const payloadHash = request.payloadHash ?? '';
    const name = keyId(actor, key);
    const twin = this.flying.get(name);
    if (twin) return this.asTwin(twin, payloadHash);
    // Of most keys it is known at once that they are new.
    const known = request.keyIsNew ? undefined : this.parts.keys.look(name);
    return this.fly(
      name,
      payloadHash,
      known === undefined ? this.entry.enqueue(request) : this.again(request, key, known ?? undefined),
    );
  }

  private async asTwin(twin: { payloadHash: string; answer: Promise<Answer | null> }, asked: string): Promise<Answer> {
    const answer = await twin.answer;
    const fate: Kept['fate'] = answer ? { is: 'taken', answer } : { is: 'burnt' };
    return repeated({ payloadHash: twin.payloadHash, fate }, asked);
  }

  /** A request under a key that was used, or of which only the table knows whether it was. */
  private async again(request: Request, key: string, known: Kept | undefined): Promise<Answer> {
    const kept = known ?? (await this.fetch(request.actor, key));
    if (!kept) return this.entry.enqueue(request);
    this.parts.meter?.replayed();
    return repeated(kept, request.payloadHash ?? '');
  }

  /** While the answer is under way, others with the same key wait for it. */
  private async fly<T extends Answer | null>(name: string, payloadHash: string, answer: Promise<T>): Promise<T> {
    this.flying.set(name, { payloadHash, answer });
    try {
      return await answer;
    } finally {
      this.flying.delete(name);
    }
  }

  /** Settles the key by its first answer or, where nothing was taken, for good by `refusal` or as burnt. */
  async settle(
    { actor, key, payloadHash = '' }: { actor: string; key: string; payloadHash?: string | undefined },
    refusal?: Refusal,
  ): Promise<Answer | null> {
    const name = keyId(actor, key);
    for (;;) {
      const twin = this.flying.get(name);
      if (!twin) break;
      const answer = await twin.answer.catch(() => null);
      if (answer) return { ...answer, replayed: true };
    }
    const settled = async () => {
      const kept = await this.find(actor, key, name);
      if (kept) return kept.fate.is === 'taken' ? { ...kept.fate.answer, replayed: true } : null;
      await this.entry.push({ actor, key, payloadHash }, [], refusal).catch((error: unknown) => {
        if (!refusal || !(error instanceof CodedError) || error.code !== refusal.code) throw error;
      });
      return null;
    };
    return this.fly(name, payloadHash, settled());
  }

  private async find(actor: string, key: string, name: string): Promise<Kept | undefined> {
    const known = this.parts.keys.look(name);
    return known === null ? this.fetch(actor, key) : known;
  }

  private fetch(actor: string, key: string): Promise<Kept | undefined> {
    return this.parts.keys.fetch(actor, key).catch((error: unknown) => {
      this.parts.log.warn({ err: error }, 'a key could not be looked up');
      throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
    });
  }

  async fateOf(actor: string, key: string): Promise<Kept['fate'] | undefined> {
    const name = keyId(actor, key);
    const answer = await this.flying.get(name)?.answer.catch(() => null);
    return answer ? { is: 'taken', answer } : (await this.find(actor, key, name))?.fate;
  }
}

/** The way into the queue, with what a command needs and memory does not have any more. */
class Entry {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Into the queue, in the order of the calls, except that a market or round out of memory is first fetched from its archive. */
  enqueue(request: Request): Promise<Answer> {
    const { begins } = request;
    return begins ? this.beginning(begins, request) : this.bounded(request);
  }

  /** Of two that begin rounds at two gateways at once one is the second. */
  private async beginning({ accountId, round, minRoundMs }: Beginning, request: Request): Promise<Answer> {
    const { pace } = this.parts;
    if (!pace.mayStart(accountId, round, minRoundMs)) throw new CodedError('TOO_FAST');
    const takeBack = pace.started(accountId, round);
    try {
      return await this.bounded(request);
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  private bounded(request: Request): Promise<Answer> {
    const { command, world, within } = request;
    if (!within || world === 'all' || !isPaying(command)) return this.line(request);
    return this.parts.payouts.within(within, world, command, () => this.line(request));
  }

  private line(request: Request): Promise<Answer> {
    const { command, world } = request;
    if (needsArchive(command, this.parts.writer.committed)) return this.withArchive(request, command);
    if (needsRound(world, command, this.parts.writer.committed)) {
      const { provider, accountId, roundId } = command;
      if (this.parts.keys.mayHaveRound(roundKey(provider, accountId, roundId))) return this.withRound(request, command);
    }
    return this.push(request, this.commandsFor(request));
  }

  /** What each world gets of it. */
  private commandsFor({ world, command }: Request): Item['commands'] {
    if (world !== 'all') return [{ world, command }];
    return worldsOf(world, this.parts.writer.committed).map((one) => ({
      world: one,
      command: termed(command, this.parts.terms(one), this.parts.writer.committed[one]),
    }));
  }

  push(asked: Asked, commands: Item['commands'], refusal?: Refusal): Promise<Answer> {
    const queuedAt = performance.now();
    const decided = (result: string) =>
      this.parts.meter?.decided(commands[0]?.command.type ?? 'key', result, (performance.now() - queuedAt) / 1000);
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => {
        decided(error instanceof CodedError ? error.code : 'INTERNAL');
        reject(error);
      };
      const take = (answer: Answer): void => {
        decided('taken');
        resolve(answer);
      };
      try {
        const { actor, key, payloadHash, urgent, requestId, expiresAt } = asked;
        this.parts.writer.enqueue({
          actor,
          key,
          payloadHash,
          commands,
          refusal,
          urgent,
          requestId,
          expiresAt,
          queuedAt,
          resolve: take,
          reject: refuse,
        });
      } catch (error) {
        refuse(error as Error);
      }
    });
  }

  private async withArchive(request: Request, command: Archivable): Promise<Answer> {
    mustHaveLeft(command, this.parts.writer.committed);
    const archives = await readArchives(this.parts.db, command.marketId);
    const worlds = await this.worldsBack(request, command.marketId);
    const gone = worlds.filter((world) => !marketView(this.parts.writer.committed[world], command.marketId));
    const recalls = await recallsOf(this.parts.db, command.marketId, archives, gone);
    // Their parts follow behind other batches (work.ts); who wanted it asks again when they are there.
    for (const recall of recalls) await this.push({ actor: 'core' }, [recall]).catch(unlessThere);
    if (recalls.length > 0) throw settling();
    const commands = worlds.map((world) => ({ world, command: { ...command, archived: archives.get(world) } }));
    return this.push(request, commands);
  }

  private async worldsBack({ world: asked }: Request, marketId: MarketId): Promise<readonly World[]> {
    const { db, writer, clock } = this.parts;
    const worlds = worldsOf(asked, writer.committed);
    const isMeant = worlds.includes('demo') && !marketView(writer.committed.demo, marketId);
    if (!isMeant || !(await isOverForPlay(db, marketId, clock.now()))) return worlds;
    if (asked === 'demo') throw new CodedError('MARKET_UNKNOWN', { field: 'marketId' });
    return worlds.filter((world) => world !== 'demo');
  }

  private async withRound(request: Request, command: RoundCommand): Promise<Answer> {
    const rows = await this.parts.db
      .query<{ world: World; view: string }>(
        'SELECT world, view FROM provider_rounds WHERE provider = $1 AND account_id = $2 AND round_id = $3',
        [command.provider, command.accountId, command.roundId],
      )
      .catch((error: unknown) => {
        this.parts.log.warn({ err: error }, 'a round could not be looked up');
        throw new CodedError('UNAVAILABLE', { retryAfterS: 2 });
      });
    const commands = worldsOf(request.world, this.parts.writer.committed).map((world) => {
      const row = rows.find((one) => one.world === world);
      const view = row && (JSON.parse(row.view) as RoundView);
      return { world, command: view && view.status !== 'OPEN' ? { ...command, archived: view } : command };
    });
    return this.push(request, commands);
  }
}

/** The core's own command, in the worlds named. Nobody waits for it. */
export function ownItem(command: Command, worlds: readonly World[]): Item {
  const commands = worlds.map((world) => ({ world, command }));
  return { actor: 'core', commands, queuedAt: performance.now(), resolve: () => {}, reject: () => {} };
}

function termed(command: Command, terms: Terms, state: State): Command {
  try {
    return inTerms(terms, command, (marketId) => marketView(state, marketId)?.kind);
  } catch {
    // Not shaped like a command: the core refuses it with its field.
    return command;
  }
}

type Beginning = NonNullable<Request['begins']>;
type Asked = Pick<Item, 'actor' | 'key' | 'payloadHash' | 'urgent' | 'requestId' | 'expiresAt'>;

function worldsOf(world: Request['world'], worlds: Worlds): readonly World[] {
  return world === 'all' ? openWorlds(worlds) : [world];
}

/** What a second request under a key gets. */
function repeated({ payloadHash, fate }: Kept, asked: string): Answer {
  if (fate.is === 'burnt') throw new CodedError('KEY_BURNT', { field: 'key' });
  if (payloadHash !== asked) throw new CodedError('KEY_REUSED', { field: 'key' });
  if (fate.is === 'refused') throw new CodedError(fate.refusal.code, fate.refusal);
  return { ...fate.answer, replayed: true };
}

type Archivable = Extract<Command, { type: 'market.undeclare' | 'bets.void' }>;

function needsArchive(command: Command, worlds: Worlds): command is Archivable {
  if (command.type !== 'market.undeclare' && command.type !== 'bets.void') return false;
  return command.archived === undefined && openWorlds(worlds).some((one) => !marketView(worlds[one], command.marketId));
}

/** Gone in one world, and on its way out of another: only when it is gone everywhere each has an archive of it. */
function mustHaveLeft({ marketId }: Archivable, worlds: Worlds): void {
  if (openWorlds(worlds).some((one) => isSettling(worlds[one], marketId))) throw settling();
}

/** Somebody else wanted it as well. */
function unlessThere(error: unknown): void {
  if (!(error instanceof CodedError) || error.code !== 'MARKET_EXISTS') throw error;
}

const settling = () => new CodedError('MARKET_SETTLING', { field: 'marketId' });

type RoundCommand = Extract<
  Command,
  { type: 'game.debit' | 'game.debitCredit' | 'game.credit' | 'game.rollback' | 'game.end' }
>;

/** A movement of a round that is not in memory: it may be new, or over and archived. */
function needsRound(world: Request['world'], command: Command, worlds: Worlds): command is RoundCommand {
  switch (command.type) {
    case 'game.debit':
    case 'game.debitCredit':
    case 'game.credit':
    case 'game.rollback':
    case 'game.end': {
      const { provider, accountId, roundId, archived } = command;
      const known = (one: World) => roundOf(worlds[one], provider, accountId, roundId) !== null;
      return archived === undefined && !worldsOf(world, worlds).every(known);
    }
    default:
      return false;
  }
}
