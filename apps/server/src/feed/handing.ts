/** Hands commands of a feed in to the core, in order, until each is taken or refused; whichever process decides, none is lost or doubled. */
import { randomUUID } from 'node:crypto';
import type { CodedError } from '@fairgame/contract';
import type { Command } from '@fairgame/exchange';
import type { Answer, Core, Request } from '../core/types.ts';
import type { Log } from '../db/db.ts';
import { isPrice } from './merge.ts';
import { createLines, type Lines } from './settling.ts';

export const RETRY_MS = 250;
/** What nobody knows the fate of is said again so often; each time may take as long as a change of leaders. */
const MOST_UNKNOWN = 20;

export interface Handing extends Pick<Lines, 'ready' | 'hasReady' | 'waiting'> {
  /** What the core could not take is tried until it can, and what nobody knows the fate of is said again, one by one. */
  submit(requests: Request[]): Promise<void>;
  /** Taken so far. */
  commands(): number;
  /** How often each kind was refused, and with what. */
  refused: Record<string, number>;
}

export function createHanding(parts: {
  core: Core;
  log: Log;
  /** Another process may decide: then it may stay unknown whether a command was taken. */
  decidedElsewhere: boolean;
  stopped: () => boolean;
}): Handing {
  const { core, log, decidedElsewhere, stopped } = parts;
  const refused: Record<string, number> = {};
  const lines = createLines((marketId) => core.read.isSettling(marketId));
  let commands = 0;

  async function submit(requests: Request[]): Promise<void> {
    let left = lines.pass(requests);
    for (let unknown = 0; left.length > 0 && !stopped(); ) {
      const sent = decidedElsewhere ? left.map(named) : left;
      const answers = unknown > 0 ? await oneByOne(sent) : await core.submitAll(sent);
      const codes = answers.map(codeOf);
      const waits = lines.early(sent, (i) => codes[i] === 'MARKET_SETTLING');
      const isUnknown = decidedElsewhere && codes.includes('INTERNAL') && unknown++ < MOST_UNKNOWN;
      const again: Request[] = [];
      codes.forEach((code, i) => {
        const one = sent[i]!;
        if (code === null) commands++;
        else if (waits.has(i)) return;
        else if (code === 'BUSY' || code === 'UNAVAILABLE') again.push(one);
        else if (code === 'INTERNAL' && isUnknown) again.push(sentBefore(one));
        else note(one.command, code);
      });
      left = lines.pass(again);
      if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async function oneByOne(requests: Request[]): Promise<Array<Answer | Error>> {
    const answers: Array<Answer | Error> = [];
    for (const request of requests) answers.push(...(await core.submitAll([request])));
    return answers;
  }

  function note(command: Command, code: string): void {
    const what = `${command.type} ${code}`;
    refused[what] = (refused[what] ?? 0) + 1;
    // A feed that goes on after a restart tells its markets again.
    if (code === 'MARKET_EXISTS') return;
    if (refused[what] === 1) log.warn({ command, code }, 'the core refused the feed');
  }

  return {
    submit,
    refused,
    commands: () => commands,
    ready: () => lines.ready(),
    hasReady: () => lines.hasReady(),
    waiting: () => lines.waiting(),
  };
}

/** Null for what was taken. */
function codeOf(answer: Answer | Error): string | null {
  return answer instanceof Error ? ((answer as Partial<CodedError>).code ?? 'INTERNAL') : null;
}

/**
 * What must be done once has a key, so that it can be said again when its answer is lost: a goal, a result, a suspension. A
 * price says what stands; twice it says the same.
 */
function named(one: Request): Request {
  if (one.key !== undefined || isPrice(one.command)) return one;
  return { ...one, key: `feed-${randomUUID()}`, keyIsNew: true };
}

/** Something may stand under its key by now. */
function sentBefore(one: Request): Request {
  const { keyIsNew: _isNew, ...before } = one;
  return before;
}
