/** A command on which the core failed an assertion: kept for study, and betting stops where it happened. */
import type { Command } from '@fairgame/exchange';
import type { Db, Log } from '../db/db.ts';
import type { Item } from './batch.ts';

/** Answers the market that must be suspended; null for none. */
export function quarantine(db: Pick<Db, 'query'>, log: Log, at: number, item: Item, error: unknown): number | null {
  const command = item.commands[0]?.command;
  const text = error instanceof Error ? error.message : String(error);
  db.query('INSERT INTO core_quarantine (at, actor, command, error) VALUES ($1, $2, $3, $4)', [
    at,
    item.actor,
    command ? textOf(command) : `the key ${item.key}`,
    text,
  ]).catch((err: unknown) => log.error({ err }, 'the quarantined command could not be kept'));
  if (!command || !('marketId' in command) || item.actor === 'core') return null;
  return command.marketId ?? null;
}

function textOf(command: Command): string {
  try {
    return JSON.stringify(command);
  } catch (error) {
    return `${command.type}: ${String(error)}`;
  }
}
