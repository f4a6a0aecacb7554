import { setImmediate as turn } from 'node:timers/promises';
import { prepareOdds } from '@fairgame/casino';
import { openSite } from './app.ts';
import { loadConfig, maskConfig } from './config.ts';
import { databaseProblems } from './config-database.ts';
import { demoPlayerLines } from './demo-players.ts';
import { whyNoStart } from './no-start.ts';
import { demoPeopleLines } from './operator/operator.ts';
import { endBeforeStart, endOnSignals } from './ops/ops.ts';

/** Starts the site: configuration, database, rooms, demo players, address. Any failure ends the process with one line. */
async function main(): Promise<void> {
  const started = Date.now();
  const begun = endBeforeStart();
  const config = loadConfig(process.env, await databaseProblems(process.env));
  const site = await openSite({ config });
  const { log, live } = site;
  log.info({ config: maskConfig(config) }, 'configuration');
  await site.start();
  begun();
  endOnSignals({
    // Only players have to be told to move.
    config: live ? config : { ...config, drainWaitMs: 0 },
    http: site,
    log,
    sendAway: (afterMs) => live?.sendAway(afterMs),
    close: () => site.close(),
  });
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled rejection'));
  const address = await site.listen();
  const programs = await (site.programs?.listen() ?? Promise.resolve(null)).catch((error: unknown) => {
    if (config.profile === 'production') throw error;
    console.error(`The door for programs is shut: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  });
  log.info({ address, ...(programs === null ? {} : { programs }), startMs: Date.now() - started }, 'listening');

  const players = demoPlayerLines(config, Date.now());
  const lines = [
    `fairGame is ready at ${address.replace('127.0.0.1', 'localhost')} (after ${((Date.now() - started) / 1000).toFixed(1)} s)`,
  ];
  if (players.length > 0) lines.push('', 'Demo players (name, password):', ...players);
  const people = demoPeopleLines(config, Date.now());
  if (people.length > 0)
    lines.push('', 'People behind the site (name, role, password; npm run operator -- --as NAME ...):', ...people);
  if (programs !== null)
    lines.push('', `Programs: ${programs.calls}${programs.stream === null ? '' : `, stream ${programs.stream}`}`);
  if (config.profile === 'local') lines.push('', 'Operator: npm run operator -- help');
  console.log(lines.join('\n'));

  // The chances of the first windows, in slices between other work: the first round of a table then waits for nothing.
  if (site.casino) for (const _slice of prepareOdds()) await turn();
}

main().catch((error: unknown) => {
  console.error(whyNoStart(error));
  process.exit(1);
});
