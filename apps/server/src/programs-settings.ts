import { isAbsolute, join } from 'node:path';
import type { Settings } from './settings.ts';

/** Where programs come in: a listener of their own. */
export interface ProgramsSettings {
  host: string;
  port: number;
  /** The stream's own port; undefined: none. */
  streamPort: number | undefined;
  /** PEM. Without it the door takes plain connections, which only this machine may make. */
  tls: { cert: string; key: string } | undefined;
  /** What markets were like, kept for players; undefined: nothing is. */
  recordings: RecordingsSettings | undefined;
}

export interface RecordingsSettings {
  folder: string;
  mostBytes: number;
  days: number;
}

/** Undefined where the site has no door for programs. */
export function readPrograms(
  { value, number }: Pick<Settings, 'value' | 'number'>,
  dataDir: string,
  problems: string[],
): ProgramsSettings | undefined {
  if (value('PROGRAMS_PORT') === undefined) return undefined;
  const host = value('PROGRAMS_HOST') ?? '127.0.0.1';
  const [cert, key] = [value('FAIRGAME_PROGRAMS_CERT'), value('FAIRGAME_PROGRAMS_KEY')];
  if ((cert === undefined) !== (key === undefined))
    problems.push('FAIRGAME_PROGRAMS_CERT and FAIRGAME_PROGRAMS_KEY belong together');
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  if (!tls && !['127.0.0.1', '::1', 'localhost'].includes(host))
    problems.push('PROGRAMS_HOST: beyond this machine programs need FAIRGAME_PROGRAMS_CERT and FAIRGAME_PROGRAMS_KEY');
  return {
    host,
    port: number('PROGRAMS_PORT', 0, 0, 65_535),
    streamPort: value('PROGRAMS_STREAM_PORT') === undefined ? undefined : number('PROGRAMS_STREAM_PORT', 0, 0, 65_535),
    tls,
    recordings: readRecordings({ value, number }, dataDir),
  };
}

function readRecordings(
  { value, number }: Pick<Settings, 'value' | 'number'>,
  dataDir: string,
): RecordingsSettings | undefined {
  const most = number('FAIRGAME_RECORDINGS_MB', 0, 0, 1_000_000);
  const days = number('FAIRGAME_RECORDINGS_DAYS', 30, 1, 3650);
  const folder = value('FAIRGAME_RECORDINGS_DIR') ?? 'recordings';
  if (most === 0) return undefined;
  return { folder: isAbsolute(folder) ? folder : join(dataDir, folder), mostBytes: most * 1_000_000, days };
}
