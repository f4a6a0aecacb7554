/**
 * npm run takeover [-- --yes] [--url postgres://...]
 * Says who leads the database; with --yes ends that leadership, for a server that hangs and cannot be reached. What it had
 * not committed was never acknowledged; it ends itself when it wakes.
 */
import { parseArgs } from 'node:util';
import { leadershipOf, takeOver } from '../apps/server/src/db/takeover.ts';
import { readSettings } from '../apps/server/src/settings.ts';

const { values } = parseArgs({ options: { yes: { type: 'boolean' }, url: { type: 'string' } } });
const url = values.url ?? readSettings(process.env).value('DATABASE_URL');
if (!url) {
  process.stderr.write(
    'name a PostgreSQL with --url or DATABASE_URL; the embedded database is led by the one process that has its folder\n',
  );
  process.exit(2);
}
try {
  const { holder, epoch, seq, lastCommitAt } = await leadershipOf(url);
  const last = lastCommitAt === 0 ? 'never' : new Date(lastCommitAt).toISOString();
  process.stdout.write(
    `${holder ? `led ${holder}` : 'nobody leads'}; epoch ${epoch}, command ${seq}, last commit ${last}\n`,
  );
  if (values.yes && holder) {
    await takeOver(url);
    process.stdout.write('its leadership is ended: another server can start now\n');
  } else if (holder) process.stdout.write('to end this leadership: npm run takeover -- --yes\n');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
