// npm run coverage:spec: which rows of docs/requirements.md have a test that names them. --json for machines.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const ID = /^\| ([A-Z]{3}-\d{2}) \|/;
const rows = new Map();
for (const line of readFileSync(join(root, 'docs/requirements.md'), 'utf8').split('\n')) {
  const id = ID.exec(line)?.[1];
  if (id) rows.set(id, line.split('|')[2].trim());
}

function* testFiles(folder) {
  for (const name of readdirSync(folder)) {
    if (name === 'node_modules' || name === 'dist') continue;
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* testFiles(path);
    else if (/\.(test|e2e)\.tsx?$/.test(name)) yield path;
  }
}

// A test names its rows in square brackets in its title: it('[BET-01] [CAR-03] ...') or it('[BET-01, BET-02] ...').
const proven = new Map();
for (const folder of ['packages', 'apps', 'e2e']) {
  for (const file of testFiles(join(root, folder))) {
    for (const title of readFileSync(file, 'utf8').matchAll(
      /\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(['"`])([\s\S]*?)\1/g,
    )) {
      for (const bracket of title[2].matchAll(/\[([^\]]+)\]/g)) {
        for (const id of bracket[1].split(/[ ,]+/))
          if (rows.has(id)) proven.set(id, [...(proven.get(id) ?? []), file.slice(root.length + 1)]);
      }
    }
  }
}

const sections = {};
for (const id of rows.keys()) {
  const section = id.slice(0, 3);
  sections[section] ??= { rows: 0, proven: 0, unproven: [] };
  sections[section].rows += 1;
  if (proven.has(id)) sections[section].proven += 1;
  else sections[section].unproven.push(id);
}

if (process.argv.includes('--json')) console.log(JSON.stringify(sections));
else {
  for (const [section, { rows: all, proven: done, unproven }] of Object.entries(sections)) {
    console.log(
      `${section}  ${String(done).padStart(3)} of ${String(all).padStart(3)}${unproven.length > 0 ? `  open: ${unproven.map((id) => id.slice(4)).join(' ')}` : ''}`,
    );
  }
  const total = Object.values(sections).reduce(
    (sum, s) => ({ rows: sum.rows + s.rows, proven: sum.proven + s.proven }),
    { rows: 0, proven: 0 },
  );
  console.log(`\n${total.proven} of ${total.rows} rows proven by a test that names them`);
}
