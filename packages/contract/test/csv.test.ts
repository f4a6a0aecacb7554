import { expect, it } from 'vitest';
import { csvLine } from '../src/csv.ts';

it('a cell is what it says and no formula, wherever a spreadsheet thinks that one begins', () => {
  expect(csvLine(['=1+1', '-12.50', '-x', '\uff1d1'])).toBe("'=1+1,-12.50,'-x,'\uff1d1\r\n");
  // Cells that end with semicolons or tabs.
  expect(csvLine(['Reds;=1+1', 'a; @b', 'a\t-1', 'a;b', 'x = y'])).toBe("Reds;'=1+1,a; '@b,a\t'-1,a;b,x = y\r\n");
  expect(csvLine(['a,"=1'])).toBe('"a,""=1"\r\n');
});
