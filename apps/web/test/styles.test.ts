import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stylelint from 'stylelint';
import { preprocessCSS, resolveConfig } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** The rules that a file of the client with this text breaks. */
async function broken(code: string, file = 'apps/web/src/ui/density.css'): Promise<string[]> {
  const { results } = await stylelint.lint({
    code,
    codeFilename: join(root, file),
    configFile: join(root, 'stylelint.config.mjs'),
    cwd: root,
  });
  return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
}

/** Every class that page/parts.tsx asks of its sheet. */
const PARTS = `.slider, .card, .cardPlace, .chip, .choice, .choiceLabel, .choiceRow, .lastLabel, .lastResults, .sliderRow
  { color: inherit; } `;

describe('the check of styles', () => {
  it.each([
    ['.grow { color: #123456; }', 'color-no-hex'],
    ['.grow { color: rgba(1, 2, 3, 0.5); }', 'function-disallowed-list'],
    ['.grow { color: red; }', 'color-named'],
    ['.grow { margin-left: 1px; }', 'property-disallowed-list'],
    ['.grow { border-top-left-radius: 1px; }', 'property-disallowed-list'],
    ['.grow { left: 0; }', 'declaration-property-value-disallowed-list'],
    ['.grow { text-align: left; }', 'declaration-property-value-disallowed-list'],
    ['.grow { padding: 1px 2px 3px 4px; }', 'declaration-property-value-disallowed-list'],
    ['.grow { color: inherit !important; }', 'declaration-no-important'],
    ['@media (max-width: 768px) { .grow { color: inherit; } }', 'media-feature-name-disallowed-list'],
    [`.grow { color: inherit; }${'\n'.repeat(300)}a { color: inherit; }`, 'fairgame/lines'],
    ['.nobody-has-this { color: inherit; }', 'fairgame/class-used'],
  ])('refuses %j', async (code, rule) => {
    expect(await broken(code)).toEqual([rule]);
  });

  it.each([
    ['.nobodyHasThis { color: inherit; }', 'fairgame/class-used'],
    ['.card .acts__nobodyHasThis { color: inherit; }', 'fairgame/class-used'],
    ['.is-marked { color: inherit; }', 'fairgame/state-alone'],
    ['.spoken { color: inherit; }', 'fairgame/state-alone'],
  ])('refuses %j in a module of a part', async (code, rule) => {
    expect(await broken(`${PARTS}${code}`, 'packages/studio/src/page/parts.module.css')).toEqual([rule]);
  });

  it('holds a module to what programs ask of it, and a part to a module', async () => {
    expect(await broken(PARTS, 'packages/studio/src/page/parts.module.css')).toEqual([]);
    expect(await broken(PARTS.replace('.slider,', ''), 'packages/studio/src/page/parts.module.css')).toEqual([
      'fairgame/class-used',
    ]);
    expect(await broken('p { color: inherit; }', 'packages/studio/src/page/parts.css')).toEqual([
      'fairgame/module-only',
    ]);
    expect(await broken('p { color: inherit; }', 'apps/web/src/ui/some.css')).toEqual(['fairgame/module-only']);
  });

  it('lets through what is done by tokens, names and sides', async () => {
    const good =
      '@media (--phone) { .grow { margin-inline: 1px 2px; padding: 1px 2px 3px 2px; left: 50%; color: var(--t1); } }';
    expect(await broken(good)).toEqual([]);
    expect(await broken(':root { --t1: #fff; }', 'apps/web/src/ui/colours.css')).toEqual([]);
    expect(await broken('.grow { color: inherit !important; }', 'apps/web/src/ui/always.css')).toEqual([]);
  });
});

describe('the names of widths', () => {
  it('are put in place wherever the build stands', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fairgame-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const away = join(folder, 'a folder');
    for (const file of ['postcss.config.mjs', 'apps/web/src/ui/media.css', 'packages/studio/src/page/media.css'])
      cpSync(join(root, file), join(away, file));
    symlinkSync(join(root, 'node_modules'), join(away, 'node_modules'));
    const config = await resolveConfig({ configFile: false, root: away, css: { postcss: away } }, 'build');
    const { code } = await preprocessCSS('@media (--phone) { a { color: red; } }', join(away, 'some.css'), config);
    expect(code).toContain('(max-width: 768px)');
  });
});
