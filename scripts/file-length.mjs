// No source of the client and the studio has more than MOST lines, but for those that say at their top why: `Over 300 lines: ...`.
// Nor may that sentence stay behind in a file that has become short.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST = 300;
const problems = [];
for (const root of ['apps/web/src', 'packages/studio/src']) {
  for (const name of readdirSync(root, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const path = join(root, name).replaceAll('\\', '/');
    const text = readFileSync(path, 'utf8');
    const lines = text.split('\n').length - 1;
    const comment = text.startsWith('/**') ? text.slice(0, text.indexOf('*/')) : '';
    const says = /Over 300 lines: \S/.test(comment);
    if (lines > MOST && !says) problems.push(`${path} has ${lines} lines and does not say at its top why`);
    if (lines <= MOST && says) problems.push(`${path} says why it is long, and has ${lines} lines`);
  }
}
if (problems.length > 0) console.error(problems.sort().join('\n'));
process.exit(problems.length > 0 ? 1 : 0);
