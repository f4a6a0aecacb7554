import { readSettings } from '../apps/server/src/settings.ts';

/** Where a command finds its database: as its options say, else as the settings do. A folder that is named is meant, whatever the surroundings say. */
export function databaseOf({ url, data }: { url?: string | undefined; data?: string | undefined }) {
  return {
    url: url ?? (data === undefined ? readSettings(process.env).value('DATABASE_URL') : undefined),
    dataDir: data ?? process.env.FAIRGAME_DATA ?? 'data',
  };
}
