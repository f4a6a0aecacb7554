/**
 * npm run backup -- --out DIR [--keep N] [--data DIR] [--url postgres://...] [--json]
 * A backup in a folder of its own below DIR, read back before it counts. Of a PostgreSQL while the server runs; of the
 * embedded database by the server that runs on it, or of the folder itself when none does.
 */
import { parseArgs } from 'node:util';
import { backUp } from './backup/backup.ts';
import { databaseOf } from './database-of.ts';

const USE = 'npm run backup -- --out DIR [--keep N] [--data DIR] [--url postgres://...] [--json]';
try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      keep: { type: 'string' },
      data: { type: 'string' },
      url: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (values.help || values.out === undefined || (keep !== undefined && !(Number.isSafeInteger(keep) && keep > 0))) {
    process.stderr.write(`${USE}\n`);
    process.exit(values.help ? 0 : 2);
  }
  const { folder, manifest, removed } = await backUp({
    out: values.out,
    keep,
    ...databaseOf(values),
    env: process.env,
  });
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const { seq, epoch, hash } = manifest.state;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ folder, bytes, ...manifest.state, removed })}\n`
      : `${folder}: ${(bytes / 1e6).toFixed(1)} MB, command ${seq}, epoch ${epoch}, state ${hash.slice(0, 16)}\n` +
          removed.map((name) => `removed ${name}\n`).join(''),
  );
} catch (error) {
  process.stderr.write(`no backup was made: ${(error as Error).message}\n`);
  process.exit(1);
}
