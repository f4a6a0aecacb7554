/** The process that the kill test kills: a core behind an IPC channel, nothing else. */

import type { Command } from '@fairgame/exchange';
import { LocalHub } from '../src/bus/bus.ts';
import type { Answer, Request } from '../src/core/core.ts';
import { type CoreOptions, openCore, standBy } from '../src/core/core.ts';
import { openDatabase, silent } from '../src/db/db.ts';

export type Ask =
  | { id: number; op: 'submit'; request: Request }
  | { id: number; op: 'answerOf'; actor: string; key: string }
  | { id: number; op: 'burn'; actor: string; key: string }
  | { id: number; op: 'nextId' }
  | { id: number; op: 'stop' };
export type Told =
  | { ready: { epoch: number; seq: number; openInPlay: number[]; changing: number[] } }
  | { id: number; answer: { seq: number; betId: number | null; replayed: boolean } | null }
  | { id: number; newId: number }
  | { id: number; code: string };

/**
 * `applied:5` ends the process by SIGKILL between applying and writing its fifth batch; `left:1` and `back:1` with the first
 * part by which a market leaves memory or comes back, others of it being still to come; `field:7` with the seventh slice of a
 * change of a field that it began.
 */
const [failAt = '', failAfter = '0'] = (process.env.FAIL_AT ?? '').split(':');
let left = Number(failAfter);
/** What the start itself commits (suspensions, upkeep) does not count: the test waits for a host that is ready. */
let armed = false;

/** The machine's clock is so many days ahead: months turn, and their tables have to be made. */
const aheadMs = Number(process.env.KILL_DAYS ?? 0) * 86_400_000;
/** Snapshots after so few commands, by the thread of large states: a kill falls in the middle of one. */
const often = process.env.KILL_SNAPSHOTS === 'often';

const db = await openDatabase({ url: process.env.KILL_URL, dataDir: process.env.KILL_DATA ?? '', log: silent });
/** Leads only when nobody else does any more; it hears of others by the database alone. */
const begin = (options: CoreOptions) =>
  process.env.KILL_STAND_BY ? standBy({ ...options, bus: new LocalHub().bus() }) : openCore(options);
const core = await begin({
  db,
  log: silent,
  clock: () => Date.now() + aheadMs,
  snapshotCommands: often ? 60 : 1500,
  snapshotRestMs: 0,
  ...(often ? { smallRows: 1 } : {}),
  // So that even a result or a field of a few bets takes many commands.
  mostUnits: 4,
  // So that rounds that are over are fetched from their archive too.
  roundMs: 300,
  failpoint: (point) => {
    if (armed && point === failAt && --left <= 0) process.kill(process.pid, 'SIGKILL');
  },
});

let hasBegun = false;
core.onCommitted(({ items }) => {
  hasBegun ||= items.some(({ command }) => command.type === 'runner.remove' || command.type === 'runner.reinstate');
  const parts = items.filter(
    ({ events, command }) =>
      (failAt === 'left' && events.some(({ type }) => type === 'archivePart')) ||
      (failAt === 'back' && command.type === 'market.recallPart') ||
      (failAt === 'field' && hasBegun && command.type === 'work' && kindOf(command.marketId) === 'book'),
  );
  for (const { command, world } of parts) {
    const { marketId } = command as Extract<Command, { type: 'market.recallPart' }>;
    // Both worlds do it at once.
    if (failAt === 'field' && world !== 'real') continue;
    if (armed && core.read.isSettling(marketId) && --left <= 0) process.kill(process.pid, 'SIGKILL');
  }
});

function kindOf(marketId: number | undefined): string | undefined {
  return core.read.markets().find((market) => market.marketId === marketId)?.kind;
}

const tell = (message: Told) => process.send!(message);
const brief = (answer: Answer) => {
  const bets = answer.events.filter((event) => event.type === 'bet').map((event) => event.bet.betId);
  return { seq: answer.seq, betId: bets.length === 0 ? null : Math.max(...bets), replayed: answer.replayed };
};

process.on('message', (ask: Ask) => {
  serve(ask).catch((error: { code?: string; message?: string }) => {
    tell({ id: ask.id, code: error.code ?? String(error.message) });
  });
});
process.on('disconnect', () => process.exit(0));

async function serve(ask: Ask): Promise<void> {
  switch (ask.op) {
    case 'submit':
      tell({ id: ask.id, answer: brief(await core.submit(ask.request)) });
      break;
    case 'answerOf': {
      const answer = await core.answerOf(ask.actor, ask.key);
      tell({ id: ask.id, answer: answer && brief(answer) });
      break;
    }
    case 'burn': {
      const answer = await core.burn(ask.actor, ask.key);
      tell({ id: ask.id, answer: answer && brief(answer) });
      break;
    }
    case 'nextId':
      tell({ id: ask.id, newId: core.nextId() });
      break;
    case 'stop':
      await core.stop();
      await db.close();
      tell({ id: ask.id, answer: null });
  }
}

const openInPlay = core.read
  .markets()
  .filter((market) => market.inPlay && market.status === 'OPEN')
  .map((market) => market.marketId);
const changing = core.read
  .markets()
  .filter(({ marketId, kind }) => kind === 'book' && core.read.isSettling(marketId))
  .map(({ marketId }) => marketId);
tell({ ready: { epoch: core.health().epoch, seq: core.health().seq, openInPlay, changing } });
armed = true;
