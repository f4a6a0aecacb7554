/** `npm run record -- MARKETS --out FILE`: writes markets of a site as a stream recording, until they have their results. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Exchange } from '../examples/bot/exchange.ts';
import { Recorder } from './record/recorder.ts';

const USAGE = `usage: PROGRAM_PASSWORD=... npm run record -- MARKETS... --out FILE --user NAME --key KEY [--base URL] [--stream HOST:PORT] [--ca FILE]

  MARKETS   ids of the door for programs (1.200000123), at most 200
  --out     a new file; .gz is compressed
  Ends when all of them have their result, or at Ctrl+C. npm run replay reads the file back to the hash it says.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    user: { type: 'string' },
    key: { type: 'string' },
    base: { type: 'string', default: 'http://localhost:3002' },
    stream: { type: 'string', default: 'localhost:3003' },
    ca: { type: 'string' },
  },
});
const { out, user, key, base, stream } = values;
const password = process.env.PROGRAM_PASSWORD;
const marketIds = [...new Set(positionals.flatMap((one) => one.split(',')).filter(Boolean))];
if (!out || !user || !key || !password || marketIds.length === 0 || marketIds.length > 200) {
  console.error(USAGE);
  process.exit(2);
}

const ca = values.ca ? { ca: readFileSync(values.ca, 'utf8') } : {};
const exchange = new Exchange({ base, stream, appKey: key, ...ca });
try {
  await exchange.login(user, password);
  const recorder = new Recorder(exchange, marketIds);
  process.once('SIGINT', () => recorder.stop());
  process.once('SIGTERM', () => recorder.stop());
  const { lines, closed, hash } = await recorder.record(out);
  console.log(`${lines} lines, ${closed} of ${marketIds.length} markets with a result\nhash ${hash}`);
  await exchange.logout();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exchange.close();
