import { parseArgs } from 'node:util';
import { forget, kept, Pictures, vite } from './pictures.ts';

/**
 * npm run parts: the gallery of parts at http://localhost:5174, as they are edited.
 * npm run parts -- --check [--only TEXT]: compares them with their pictures; --write takes the pictures anew.
 */
const { values } = parseArgs({
  options: { check: { type: 'boolean' }, write: { type: 'boolean' }, only: { type: 'string', default: '' } },
});

if (values.check || values.write) {
  const pictures = await Pictures.open();
  const wanted = pictures.shots.filter(({ name }) => name.includes(values.only));
  const wrong: string[] = [];
  for (const shot of wanted) {
    const found = await pictures.check(shot, values.write ? 300 : undefined);
    if (found && values.write) await pictures.write(shot);
    if (found) wrong.push(values.write ? `${shot.name}: taken anew` : found);
  }
  const names = pictures.shots.map(({ name }) => name);
  for (const name of kept().filter((one) => !names.includes(one))) {
    if (values.write) forget(name);
    wrong.push(`${name}: ${values.write ? 'taken away' : 'no part has it'}`);
  }
  if (values.write) await pictures.sign();
  await pictures.close();
  console.log([...wrong, ...pictures.errors, `${wanted.length} pictures, ${wrong.length} not as they were`].join('\n'));
  if (pictures.errors.length > 0 || (!values.write && wrong.length > 0)) process.exitCode = 1;
} else await vite(['apps/web/parts']);
