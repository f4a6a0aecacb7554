// Makes the font file of the signs of money: `node scripts/fonts.mjs`. The packages named here are no dependencies of the
// product: what they make is kept in the repository. The other font files are the package's own.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const CUTTER = 'subset-font';
const PACKAGES = [`${CUTTER}@2.9.0`, '@fontsource-variable/inter@5.3.0'];
/** As the `unicode-range` in tokens.css; the euro (U+20AC) is among the Latin letters. */
const SIGNS = Array.from({ length: 0x20c1 - 0x20a0 }, (_, n) => 0x20a0 + n).filter((code) => code !== 0x20ac);

const folder = mkdtempSync(join(tmpdir(), 'fairgame-fonts-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PACKAGES], { stdio: 'inherit' });
  const require = createRequire(join(folder, 'package.json'));
  const source = join(folder, 'node_modules/@fontsource-variable/inter/files/inter-latin-ext-opsz-normal.woff2');
  const made = await require(CUTTER)(readFileSync(source), String.fromCodePoint(...SIGNS), {
    targetFormat: 'woff2',
  });
  writeFileSync(join(root, 'apps/web/public/fonts/inter-currency-opsz.woff2'), made);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
