/**
 * npm run restore -- --from DIR [--data DIR [--replace]] [--url postgres://...]
 * Puts a backup (of a folder of backups the newest) back: into the data folder of an embedded site, or into an empty
 * PostgreSQL. Every file is checked, the state is rebuilt and compared with the one that was saved, and every invariant
 * holds, before it is said to be done. All sessions are ended.
 *
 * npm run restore -- --recovered MOMENT --url postgres://...
 * The same checks and ends for a PostgreSQL that base backup and archived log brought back to that moment.
 */
import { parseArgs } from 'node:util';
import { finishRecovery, restoreBackup } from './backup/restore.ts';
import { databaseOf } from './database-of.ts';

const USE =
  'npm run restore -- --from DIR [--data DIR [--replace]] [--url postgres://... (an empty database)]\nnpm run restore -- --recovered MOMENT --url postgres://...';
const UNRECORDED = 'it does not stand in the audit log: FAIRGAME_SECRET was not given';
try {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      recovered: { type: 'string' },
      data: { type: 'string' },
      url: { type: 'string' },
      replace: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const { url, dataDir } = databaseOf(values);
  if (values.recovered !== undefined && values.from === undefined && values.url !== undefined) {
    const { state, recorded } = await finishRecovery({
      url: values.url,
      moment: values.recovered,
      dataDir,
      env: process.env,
    });
    const lines = [`recovered to ${values.recovered}: command ${state.seq}, every invariant holds`];
    if (!recorded) lines.push(UNRECORDED);
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exit(0);
  }
  if (values.help || values.from === undefined || values.recovered !== undefined) {
    process.stderr.write(`${USE}\n`);
    process.exit(values.help ? 0 : 2);
  }
  const { folder, manifest, aside, kept, recorded } = await restoreBackup({
    from: values.from,
    env: process.env,
    replace: values.replace,
    url,
    dataDir,
  });
  const { seq } = manifest.state;
  const lines = [`restored ${folder} of ${manifest.at}: command ${seq} as saved, every invariant holds`];
  if (aside) lines.push(`the database that was there lies in ${aside}`);
  if (!recorded) lines.push(UNRECORDED);
  for (const file of kept) lines.push(`${file} was there and is left as it is`);
  process.stdout.write(`${lines.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
