// No function of server, client and packages is longer than MOST lines, but for those of function-length.json, each under its
// reason and with the length it has. That list can only shrink: who shortens one of them lowers its figure (`--lower`), who
// lengthens one or adds another is refused here.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const MOST = 70;
const LIST = new URL('function-length.json', import.meta.url);
const ROOTS = ['apps/server/src', 'apps/web/src', ...readdirSync('packages').map((name) => `packages/${name}/src`)];

/** Of every function over MOST its lines, by `file outer.inner`. A function without a name has that of what it is given to. */
function longOnes(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  const found = [];
  const look = (node, outer) => {
    const isFunction = ts.isFunctionLike(node) && node.body !== undefined;
    const named = node.name ?? (isFunction ? (node.parent.name ?? node.parent.expression) : undefined);
    const name = isFunction ? [...outer, named?.getText(source) ?? 'anonymous'] : outer;
    const lines = lineAt(node.end) - lineAt(node.getStart(source)) + 1;
    if (isFunction && lines > MOST) found.push([`${path} ${name.join('.')}`, lines]);
    ts.forEachChild(node, (child) => look(child, name));
  };
  look(source, []);
  return found;
}

const files = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(root, path).replaceAll('\\', '/')),
);
const long = new Map(files.flatMap(longOnes));
const groups = JSON.parse(readFileSync(LIST, 'utf8'));
const listed = new Map(groups.flatMap(({ functions }) => Object.entries(functions)));

const problems = [];
for (const [name, lines] of long) {
  const allowed = listed.get(name);
  if (allowed === undefined) problems.push(`${name} has ${lines} lines: more than ${MOST}`);
  else if (lines > allowed) problems.push(`${name} has grown from ${allowed} to ${lines} lines`);
}
if (process.argv.includes('--lower')) {
  for (const group of groups)
    group.functions = Object.fromEntries(
      Object.entries(group.functions)
        .filter(([name]) => long.has(name))
        .map(([name, allowed]) => [name, Math.min(allowed, long.get(name))]),
    );
  writeFileSync(
    LIST,
    `${JSON.stringify(
      groups.filter(({ functions }) => Object.keys(functions).length > 0),
      null,
      2,
    )}\n`,
  );
} else {
  for (const [name, allowed] of listed) {
    const lines = long.get(name);
    if (lines === undefined) problems.push(`${name} is listed and no longer long: run this with --lower`);
    else if (lines < allowed) problems.push(`${name} is down to ${lines} lines: run this with --lower`);
  }
}
if (problems.length > 0) console.error(problems.sort().join('\n'));
process.exit(problems.length > 0 ? 1 : 0);
