import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const SRC = join(import.meta.dirname, '..', 'src');

/** Whether a file is one of the sheets that a list of them names. */
function sheetsOf(list: string): (id: string) => boolean {
  const file = join(SRC, list);
  const sheets = [...readFileSync(file, 'utf8').matchAll(/^import '(.+)';$/gm)].map(([, sheet]) => sheet!);
  const named = new Set(sheets.map((sheet) => join(dirname(file), sheet)));
  return (id) => named.has(join(id));
}

/** What every page stands on, and what is drawn inside: each stays together in a build, in the order of its list. */
export const firstSheets = sheetsOf('ui/styles.ts');
export const insideSheets = sheetsOf('client-styles.ts');

/** Begins every sheet of a build with the order of the layers, so that it hangs on no sheet being read before another. */
export function layersFirst(): Plugin {
  const order = /@layer [\w, ]+;/.exec(readFileSync(join(SRC, 'ui/layers.css'), 'utf8'))?.[0];
  if (!order) throw new Error('layers.css names no layers.');
  return {
    name: 'layers-first',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${String(file.source)}`;
    },
  };
}
