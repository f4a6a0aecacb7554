/** `npm run bot -- --user NAME --key KEY --event TEXT`: runs the bot until its market closes, or Ctrl+C. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Bot } from './bot.ts';
import { Exchange } from './exchange.ts';

const { values } = parseArgs({
  options: {
    user: { type: 'string' },
    key: { type: 'string' },
    event: { type: 'string' },
    base: { type: 'string', default: 'http://localhost:3002' },
    stream: { type: 'string', default: 'localhost:3003' },
    ca: { type: 'string' },
    stake: { type: 'string', default: '2' },
    most: { type: 'string', default: '10' },
    ticks: { type: 'string', default: '3' },
  },
});
const { user, key, event, base, stream } = values;
const password = process.env.BOT_PASSWORD;
if (!user || !key || event === undefined || !password) {
  console.error(
    'BOT_PASSWORD=... npm run bot -- --user NAME --key KEY --event TEXT [--base URL] [--stream HOST:PORT] [--ca FILE] [--stake 2] [--most 10] [--ticks 3]',
  );
  process.exit(2);
}

const exchange = new Exchange({
  base,
  stream,
  appKey: key,
  ...(values.ca ? { ca: readFileSync(values.ca, 'utf8') } : {}),
});
const bot = new Bot(exchange, {
  event,
  stakeMinor: Math.round(Number(values.stake) * 100),
  mostMinor: Math.round(Number(values.most) * 100),
  leastTicks: Number(values.ticks),
  say: (text) => console.log(`${new Date().toISOString()} ${text}`),
});
process.once('SIGINT', () => bot.stop());
process.once('SIGTERM', () => bot.stop());
await bot.live(user, password);
