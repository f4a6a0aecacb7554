// `npm start -- --help`: the most used settings, as README.md has them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What goes to the terminal, and how the process ends; null where nothing was asked. */
export function answerTo(args, root) {
  if (args.length === 0) return null;
  const wrong = args.find((one) => one !== '--help' && one !== '-h');
  if (wrong === undefined) return { code: 0, text: mostUsed(join(root, 'README.md')) };
  return {
    code: 2,
    text: `npm start takes no "${wrong}": it is told by environment variables. npm start -- --help lists them.`,
  };
}

function mostUsed(page) {
  const rows = readFileSync(page, 'utf8')
    .split('\n## Settings\n')[1]
    .split('\n## ', 1)[0]
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).replaceAll('`', '').split(' | '));
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return [
    'npm start builds what is not built yet and runs the site. Environment variables tell it more (PORT=8080 npm start):',
    '',
    ...rows.map(([names, usual, what]) => `  ${names.padEnd(widths[0])}  ${usual.padEnd(widths[1])}  ${what}`),
    '',
    'All of them: docs/operations.md.',
  ].join('\n');
}
