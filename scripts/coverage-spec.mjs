// npm run coverage:spec: holds docs/coverage.md, what is proven of each row of docs/requirements.md, to the tests.
// It fails when a row has no line, a line names a test that is gone or does not name the row, or a test names no known row. What is
// decided otherwise stands in coverage.md and in decisions.md alike.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const IDS = /\[[A-Z]{3}-[A-Z]?\d+(?:,? \[?[A-Z]{3}-[A-Z]?\d+)*\] ?/g;
const wrong = [];

const required = new Set([...read('docs/requirements.md').matchAll(/^\| ([A-Z]{3}-\d\d) \|/gm)].map(([, id]) => id));
const areas = new Set([...required].map((id) => id.slice(0, 3)));

/** Every test with its title and the rows it names in square brackets: it('[BET-01] [CAR-03] ...'). */
const tests = ['packages', 'apps', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(test|e2e)\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .flatMap((path) =>
      [
        ...read(join(folder, path)).matchAll(
          /\b(?:it|test)(?:\.concurrent)?(?:\.\w+(?:<[^(]*>)?\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g,
        ),
      ].map(([, , title]) => ({
        path: `/${folder}/${path}`,
        title: title.replaceAll(IDS, ''),
        ids: (title.match(IDS) ?? []).flatMap((bracket) => bracket.match(/[A-Z]{3}-\w+/g)),
      })),
    ),
);
for (const { path, title, ids } of tests) {
  for (const id of ids)
    if (areas.has(id.slice(0, 3)) && !required.has(id)) wrong.push(`${path}: "${title}" names ${id}, which is no row`);
}

/** Rows from which the product departs: they stand in brackets behind what was decided. */
const decided = new Set(
  [...read('docs/decisions.md').matchAll(/^\| [^|]*\(((?:[A-Z]{3}-\d\d(?:, )?)+)\) \|/gm)].flatMap(([, ids]) =>
    ids.split(', '),
  ),
);

/** A line: | id | asserted, or named where a clause is missing | `file`: beginning of the title …<br>... | words |. */
const lines = new Map();
for (const [, id, state, cell, words] of read('docs/coverage.md').matchAll(
  /^\| ([A-Z]{3}-\d\d) \| (asserted|named) \| (.*?) \| (.*) \|$/gm,
)) {
  if (lines.has(id)) wrong.push(`${id} has two lines`);
  if (!required.has(id)) wrong.push(`${id} is no row of the requirements`);
  if (words.length > 160) wrong.push(`${id}: more than 160 characters`);
  if ((state === 'named') !== /\bnot: /.test(words)) wrong.push(`${id} is ${state}: "not:" belongs to "named"`);
  if (words.endsWith('(decided)') !== decided.has(id))
    wrong.push(`${id}: decided here, or in docs/decisions.md, and not in both`);
  lines.set(id, state);
  for (const one of cell.split('<br>')) {
    const [, file, text] = /^`([^`]+)`: (.+)$/.exec(one) ?? [];
    const begins = text?.replace(/ ?…$/, '');
    const found = tests.filter(
      ({ path, title }) => path.endsWith(`/${file}`) && (begins === text ? title === text : title.startsWith(begins)),
    );
    if (found.length === 0) wrong.push(`${id}: no test of this title: ${one}`);
    else if (!found.some(({ ids }) => ids.includes(id))) wrong.push(`${id}: its test does not name it: ${one}`);
  }
}
for (const id of required) if (!lines.has(id)) wrong.push(`${id} has no line`);

for (const area of areas) {
  const own = [...lines].filter(([id]) => id.startsWith(area));
  const named = own.filter(([, state]) => state === 'named').map(([id]) => id.slice(4));
  const left = named.length > 0 ? `  named only: ${named.join(' ')}` : '';
  console.log(`${area}  ${String(own.length - named.length).padStart(3)} of ${String(own.length).padStart(3)}${left}`);
}
const asserted = [...lines.values()].filter((state) => state === 'asserted').length;
console.log(`\n${required.size} rows: named ${lines.size}, asserted ${asserted}`);
for (const one of wrong) console.error(one);
process.exit(wrong.length === 0 ? 0 : 1);
