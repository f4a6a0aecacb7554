import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMPACT, NARROW, PHONE } from '../src/ui/media.ts';

const css = readFileSync(`${import.meta.dirname}/../src/ui/media.css`, 'utf8');
const widths = Object.fromEntries(
  [...css.matchAll(/@custom-media --([\w-]+) ([^;]+);/g)].map(([, name, query]) => [name, query]),
);

describe('the named widths', () => {
  it('are the same in code and in styles', () => {
    expect({ phone: PHONE, narrow: NARROW, compact: COMPACT }).toEqual({
      phone: widths.phone,
      narrow: widths.narrow,
      compact: widths.compact,
    });
  });

  it('are six at most', () => {
    expect(Object.keys(widths).length).toBeGreaterThan(3);
    expect(Object.keys(widths).length).toBeLessThanOrEqual(6);
  });
});
