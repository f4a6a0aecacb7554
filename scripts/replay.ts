/** `npm run replay -- FILES... [--speed N|max] [--json]`: what is in recorded market streams, at any speed. */
import { parseArgs } from 'node:util';
import { type ReplaySummary, replaySummary } from '../apps/server/src/feed/replay/summary.ts';

const USAGE = `usage: npm run replay -- FILES... [--speed N|max] [--json]

  FILES     market stream recordings: plain text, .gz, .bz2, .zip or .tar; - reads standard input
  --speed   recorded seconds per second; max (the default) does not wait
  --json    one JSON document instead of text`;

process.exitCode = await main();

async function main(): Promise<number> {
  let args: ReturnType<typeof readArgs>;
  try {
    args = readArgs();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (args.help) {
    console.log(USAGE);
    return 0;
  }
  const paced = args.speed !== 'max' && !args.json;
  const summary = await replaySummary(args.files, {
    speed: args.speed,
    ...(paced && {
      onState: (market, publishTime) => {
        const { status, inPlay, marketName } = market.definition!;
        console.log(
          `${timeText(publishTime)}  ${market.marketId}  ${status}${inPlay ? ' in play' : ''}  ${marketName ?? ''}`,
        );
      },
    }),
  });
  console.log(args.json ? JSON.stringify(summary) : humanText(summary));
  for (const { file, reason } of summary.unreadable) console.error(`cannot read ${file}: ${reason}`);
  return summary.unreadable.length > 0 ? 1 : 0;
}

function readArgs(): { files: string[]; speed: number | 'max'; json: boolean; help: boolean } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      speed: { type: 'string', default: 'max' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const speed = values.speed === 'max' ? 'max' : Number(values.speed);
  if (speed !== 'max' && !(speed > 0 && Number.isFinite(speed)))
    throw new Error('--speed takes a number above 0, or max');
  if (positionals.length === 0 && !values.help) throw new Error('no file named');
  return { files: positionals, speed, json: values.json, help: values.help };
}

function humanText(summary: ReplaySummary): string {
  const { lines, images, deltas, stateChanges, refused, crossed, malformedLines } = summary;
  const text = [
    `${lines} lines: ${images} images, ${deltas} deltas, ${stateChanges} state changes, ${refused} refused, ${malformedLines} malformed`,
  ];
  for (const [op, count] of Object.entries(summary.otherLines))
    text.push(`${count} lines of another kind (${op}), not folded`);
  for (const { file, line, reason } of summary.malformed.slice(0, 50)) text.push(`  ${file}:${line}: ${reason}`);
  if (malformedLines > 50) text.push(`  and ${malformedLines - 50} more (all with --json)`);
  if (crossed > 0) text.push(`${crossed} crossed books while open: lines are missing in the recording`);
  for (const [id, market] of Object.entries(summary.markets)) {
    const winners = market.winners.length > 0 ? `won by ${market.winners.join(', ')}` : 'no winner';
    const name = [market.eventName, market.name ?? market.type].filter(Boolean).join(', ');
    text.push(
      `${id}  ${market.status ?? 'no definition'}${market.inPlay ? ' in play' : ''}  ${winners}  ` +
        `${market.changes} changes, ${market.totalMatched.toFixed(2)} matched  ${name}`,
    );
  }
  text.push(`hash ${summary.hash}`);
  return text.join('\n');
}

function timeText(publishTime: number): string {
  return new Date(publishTime).toISOString().slice(0, 19).replace('T', ' ');
}
