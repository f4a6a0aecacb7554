import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kept, Pictures } from './pictures.ts';

/** Each part of the gallery looks as its pictures (npm run parts -- --write takes them anew). No site is needed. */
let pictures: Pictures;
let stranger: string | null;

beforeAll(async () => {
  pictures = await Pictures.open();
  stranger = await pictures.stranger();
});
afterAll(() => pictures?.close());

describe('the parts of the design system', () => {
  it('are drawn without an error, and have the pictures that are kept and no other', () => {
    expect(pictures.shots.map(({ name }) => name).sort()).toEqual(kept().sort());
    expect(pictures.errors).toEqual([]);
  });

  for (const look of ['dark', 'light', 'compact', 'rtl', 'long', 'phone', 'hover', 'focus', 'hi', 'bn', 'ta', 'ur'])
    it(`look as they did: ${look}`, async ({ skip }) => {
      skip(stranger !== null, `${stranger} (npm run parts -- --write)`);
      const shots = pictures.shots.filter((shot) => shot.look === look);
      expect(shots).not.toEqual([]);
      for (const shot of shots) expect.soft(await pictures.check(shot)).toBeNull();
      expect(pictures.errors).toEqual([]);
    });

  for (const name of ['card-fields-dark', 'card-fields-phone'])
    it(`that a field has won stands on no other field with large text and longer words: ${name}`, async () => {
      const shot = pictures.shots.find((one) => one.name === name)!;
      expect(await pictures.atTwice(shot, { Won: 'Ŵóóñ' })).toEqual([]);
    });
});
