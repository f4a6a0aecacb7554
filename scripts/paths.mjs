// Holds the documents to the files: every path that docs/map.md names is there, and so is what any document links to.
// A part of `npm run coverage:spec`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './prepare.mjs';

const MAP = 'docs/map.md';
const below = (folder, depth) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return depth === 0 || entry.name === 'node_modules' ? [] : below(join(folder, entry.name), depth - 1);
    return entry.name.endsWith('.md') ? [join(folder, entry.name)] : [];
  });
const documents = ['', 'docs', 'docs/why', 'bench', 'e2e', 'packages', 'apps'].flatMap((folder) =>
  below(folder, ['packages', 'apps'].includes(folder) ? 3 : 0),
);
const wrong = [];

for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8');
  for (const [, link] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    if (!existsSync(join(root, normalize(join(dirname(document), link)))))
      wrong.push(`${document} links to ${link}, which is not there`);
  }
}

/** A row: | what | where to go | what to mind |. Where to go names a path of the project. */
const isPath = (word) => !/\s/.test(word) && (word.includes('/') || existsSync(join(root, word)));
const rows = readFileSync(join(root, MAP), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| I want'));
for (const row of rows) {
  const cells = row.split(' | ');
  const named = cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word).filter(isPath));
  if (named[1].length === 0) wrong.push(`${MAP} says nowhere to go: ${row}`);
  for (const path of named.flat())
    if (!existsSync(join(root, path))) wrong.push(`${MAP} names ${path}, which is not there`);
}

console.log(`${MAP}: ${rows.length} things to change; ${documents.length} documents`);
for (const one of wrong) console.error(one);
process.exit(wrong.length === 0 ? 0 : 1);
