/** `npm run operator -- help` */
import { runOperator } from './operator/cli.ts';

process.exitCode = await runOperator(process.argv.slice(2), process.env, {
  out: (text) => console.log(text),
  err: (text) => console.error(text),
});
