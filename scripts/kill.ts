/**
 * npm run kill [-- --cycles N] [--seed S] [--url postgres://... | --postgres] [--json]
 * Kills the core under load N times (default 50) and proves that no acknowledged bet was lost or doubled. Without a URL the
 * embedded database; --postgres starts a private PostgreSQL. Exits with 1 on any fault.
 */
import { parseArgs } from 'node:util';
import { makeDb, makeEmbedded } from '../apps/server/test/fixture.ts';
import { runKills } from '../apps/server/test/kill-harness.ts';
import { startPostgres } from './postgres.ts';

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    url: { type: 'string' },
    postgres: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const own = values.postgres ? await startPostgres() : null;
if (values.postgres && !own) {
  process.stderr.write('this machine has no PostgreSQL to start\n');
  process.exit(2);
}
const server = values.url ?? own?.url ?? process.env.DATABASE_URL;
const place = server ? await postgresPlace(server) : await embeddedPlace();
const seed = Number(values.seed);
const say = values.json ? () => {} : (line: string) => process.stdout.write(`${line}\n`);
say(`seed ${seed}, ${server ? 'PostgreSQL' : 'embedded database'}`);
const report = await runKills({ cycles: Number(values.cycles), seed, say, ...place.where });
await place.remove();
await own?.stop();

const clean = report.faults.length === 0 && report.verify.ok;
if (values.json) process.stdout.write(`${JSON.stringify({ seed, clean, ...report })}\n`);
else {
  for (const fault of report.faults) say(fault);
  for (const check of report.verify.checks.filter((one) => one.breaks > 0))
    say(`${check.id}: ${check.examples.join('; ')}`);
  say(
    `${clean ? 'clean' : `NOT CLEAN (seed ${seed})`}: ${report.cycles} kills, ${report.earlyKills} of starts, ${report.whileSnapshots} while snapshots were taken, ${report.months} months, ` +
      `${report.fields.left} runners left their field and ${report.fields.back} came back, ${report.fields.halfDone} starts half way, ` +
      `${report.movements} movements of a provider among ${report.acknowledged} acknowledged, ` +
      `${report.unansweredTaken} unanswered and taken, ${report.unansweredNot} unanswered and not taken, ` +
      `slowest start ${report.slowestStartMs} ms`,
  );
}
process.exit(clean ? 0 : 1);

async function embeddedPlace() {
  const { dir, remove } = await makeEmbedded();
  return { where: { dataDir: dir }, remove };
}

async function postgresPlace(url: string) {
  const made = await makeDb(url);
  await made.db.close();
  return { where: { url: made.url! }, remove: () => made.drop() };
}
