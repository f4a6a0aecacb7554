// Makes the font files of the client: `node scripts/fonts.mjs`. Which there are, their letters and their weights say the
// `@font-face` rules of tokens.css. The packages named here are no dependencies of the product: what they make is kept in the
// repository.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const CUTTER = 'subset-font';
const PACKAGES = [`${CUTTER}@2.9.0`, 'inter-ui@4.1.1'];
/** What the styles ask of letters, and what sets accents and stands of digits right; choices nobody makes are left out. */
const FEATURES = ['calt', 'ccmp', 'kern', 'mark', 'mkmk', 'tnum'];

/** The codes that a `unicode-range` names. */
function codesOf(range) {
  return range.split(',').flatMap((part) => {
    const [from, to = from] = part
      .trim()
      .slice('U+'.length)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
}

const sheet = readFileSync(join(root, 'apps/web/src/ui/tokens.css'), 'utf8');
const faces = [...sheet.matchAll(/@font-face \{([^}]*)\}/g)].map(([, rule]) => ({
  file: /url\(\/(fonts\/[^)]+)\)/.exec(rule)[1],
  weights: /font-weight: (\d+) (\d+);/.exec(rule).slice(1).map(Number),
  codes: codesOf(/unicode-range:([^;]+);/.exec(rule)[1]),
}));

const folder = mkdtempSync(join(tmpdir(), 'fairgame-fonts-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PACKAGES], { stdio: 'inherit' });
  const cut = createRequire(join(folder, 'package.json'))(CUTTER);
  const source = readFileSync(join(folder, 'node_modules/inter-ui/variable/InterVariable.woff2'));
  for (const [at, { file, weights, codes }] of faces.entries()) {
    // Of two rules that name a letter the later has it.
    const later = new Set(faces.slice(at + 1).flatMap((face) => face.codes));
    const letters = String.fromCodePoint(...codes.filter((code) => !later.has(code)));
    const [min, max] = weights;
    const made = await cut(source, letters, {
      targetFormat: 'woff2',
      keepFeatures: FEATURES,
      variationAxes: { wght: { min, max } },
    });
    writeFileSync(join(root, 'apps/web/public', file), made);
    console.log(file, made.length);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
