/** What the process that leads does for those that follow it: takes their requests, and tells what was committed. */
import type { Bus } from '../bus/bus.ts';
import type { Log } from '../db/db.ts';
import { ownEvents, packAnswer } from './answers.ts';
import type { Batch } from './batch.ts';
import { unknownOutcome } from './sending.ts';
import type { Answer, Core, Request } from './types.ts';
import {
  type Ask,
  askedAt,
  capped,
  LOG_NOW,
  LOG_STREAM,
  packError,
  packTexts,
  packTold,
  type Reply,
  toldId,
  unpackAsks,
  unpackError,
  WIRE,
} from './wire.ts';

export interface Publishing {
  /** Says that this process leads, from behind command `seq` on. */
  leads(epoch: number, seq: number): void;
  /** Says that it leads no more. */
  leaves(epoch: number, seq: number): void;
  /** Says to who waits for its answers that it is on the bus again. */
  isBack(epoch: number, seq: number): void;
  /** A committed batch. */
  publish(epoch: number, batch: Pick<Batch, 'first' | 'last' | 'logged'>): void;
}

/**
 * Nobody waits for it, and nothing is kept for a bus that is away: the followers read in the database what they were not
 * told.
 */
export function createPublishing({ bus, log, owner }: { bus: Bus; log: Log; owner: string }): Publishing {
  const stream = bus.log(LOG_STREAM);
  let failing = false;

  function append(id: string, body: Buffer): void {
    if (!bus.connected()) return;
    bus.tell(LOG_NOW, body);
    stream.append(id, body).then(
      () => {
        failing = false;
      },
      (error: unknown) => {
        if (!failing)
          log.warn({ err: error }, 'committed batches are not told; who follows reads them in the database');
        failing = true;
      },
    );
  }

  return {
    publish: (epoch, batch) => append(toldId(epoch, batch.first), packTold(batch, { epoch, owner })),
    leads: (epoch, seq) => append(`${epoch}:leads`, packTold(noBatch(seq), { epoch, owner })),
    // Only now: the stream would tell it a second time, and of all that was there before it.
    isBack: (epoch, seq) => bus.tell(LOG_NOW, packTold(noBatch(seq), { epoch, owner, back: true })),
    leaves: (epoch, seq) => append(`${epoch}:leaves`, packTold(noBatch(seq), { epoch, owner, leaves: true })),
  };
}

const noBatch = (seq: number) => ({ first: seq + 1, last: seq, logged: { kept: null, short: null, hash: null } });

type Asked = Pick<Core, 'submit' | 'refuse' | 'answerOf' | 'isBurnt' | 'burn' | 'nextId'>;

/** Takes requests of others until it is stopped; those that are under way then are still answered. */
export function serveRequests({ bus, core, owner }: { bus: Bus; core: Asked; owner: string }): () => void {
  const carryOut = async (ask: Ask): Promise<string> => textOf(await replyTo(core, ask));
  const answer = async (body: Uint8Array): Promise<Buffer> => {
    const texts = await Promise.all(unpackAsks(body).map(carryOut));
    // What became of those that are too large for one message is asked by key.
    return packTexts(capped(texts, TOO_LARGE));
  };
  return bus.serve(askedAt(owner), answer);
}

async function replyTo(core: Asked, ask: Ask): Promise<Reply> {
  try {
    switch (ask.do) {
      case 'submit':
        return answered(ask.request, await core.submit(ask.request));
      case 'refuse':
        return { value: await core.refuse(ask.request, unpackError(ask.error)) };
      case 'answerOf':
      case 'isBurnt':
      case 'burn':
        return { value: await core[ask.do](ask.actor, ask.key) };
      case 'ids':
        return { value: blockOf(core, ask.count), wire: WIRE };
    }
  } catch (error) {
    return { refused: packError(error) };
  }
}

/** Under a key it is told as a repeat of it would be: a third of the text, and no more is known of it the next time either. */
function answered({ key, command }: Request, answer: Answer): Reply {
  if (key === undefined) return { value: answer };
  const taken = packAnswer({ ...answer, events: ownEvents(command, answer.events) });
  return answer.replayed ? { taken, replayed: true } : { taken };
}

/** They follow one another, since nobody else is given one meanwhile. Answers the first. */
function blockOf(core: Asked, count: number): number {
  const first = core.nextId();
  for (let n = 1; n < count; n++) core.nextId();
  return first;
}

const textOf = (reply: Reply): string => JSON.stringify(reply);
const TOO_LARGE = textOf({ refused: packError(unknownOutcome()) });
