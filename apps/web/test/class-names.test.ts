import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';
import { writtenClassNames } from '../build/class-names.ts';
import css from '../src/ui/panel.module.css';

const file = join(import.meta.dirname, '../src/ui/panel.tsx');

/** What the build makes of a program of the client. */
function built(code: string): string {
  const { transform } = writtenClassNames() as { transform: (this: object, code: string, id: string) => unknown };
  const made = transform.call({ parse: parseAst }, code, file) as { code: string } | null;
  return made?.code ?? code;
}

it('a built program has the names themselves, the same as a table of the sheet says', () => {
  const code = "import css from './panel.module.css';\nexport const look = [css.head, css[`head${size}`]];";
  expect(built(code)).toBe(
    'import css from \'./panel.module.css\';\nexport const look = ["panel__head", ("panel__" + (`head${size}`))];',
  );
  expect(css.head).toBe('panel__head');
});

it('what is no question for a class stays as it is', () => {
  for (const code of ["import css from './panel.ts';\ncss.head();", 'const css = {};\ncss.head;'])
    expect(built(code)).toBe(code);
});
