import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { minifySync, type Plugin, type Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { css } from '../../scripts/class-names.mjs';
import { leanCalls } from './build/calls.ts';
import { writtenClassNames } from './build/class-names.ts';
import { spokenMessages } from './build/messages.ts';
import { firstSheets, insideSheets, layersFirst } from './build/sheets.ts';

const server = process.env.FAIRGAME_SERVER ?? 'http://localhost:3000';

// In development the client runs on its own port and everything the server owns is passed through.
const proxy = {
  '/api': { target: server },
  '/livez': { target: server },
  '/readyz': { target: server },
  '/socket.io': { target: server, ws: true },
};

const still = join(import.meta.dirname, 'public');

/**
 * The page's first script under a name of its content: by a name that stays, a worker or a cache could give the page of one
 * build the script of another. In development it is served as it stands.
 */
function firstScript(): Plugin {
  const source = minifySync('theme.js', readFileSync(join(still, 'theme.js'), 'utf8')).code;
  const fileName = `assets/theme-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  return {
    name: 'first-script',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml(html) {
      const plain = '<script src="/theme.js">';
      if (!html.includes(plain)) throw new Error('The page does not begin with its first script.');
      return html.replace(plain, `<script src="/${fileName}">`);
    },
  };
}

/** What a file of the build has of a language: all its messages, or (`rules`) those of one screen; null: nothing. */
const languageOf = (file: Rolldown.OutputChunk | Rolldown.OutputAsset | undefined) => {
  const [, language, of] = (file?.type === 'chunk' && /([^/\\]+)\.po(\?\w+)?$/.exec(file.facadeModuleId ?? '')) || [];
  return language === undefined ? null : { language, whole: of === undefined };
};

/** Tells the service worker which files the client is made of, and gives each build its own version. */
function shellFiles(): Plugin {
  return {
    name: 'shell-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') throw new Error('There is no service worker in the build.');
      // It is no module: with an import the browser refuses it, and there is no offline start.
      if (worker.imports.length > 0) throw new Error('The service worker imports other files.');
      const built = Object.keys(bundle).filter((name) => name.startsWith('assets/') && /\.(js|css)$/.test(name));
      // A language is kept by who chose it: nobody needs all of them.
      const later = Object.entries(bundle).flatMap(([name, one]) =>
        one.type === 'chunk' && languageOf(one) !== null
          ? [name, ...(one.viteMetadata?.importedCss ?? []), ...(one.viteMetadata?.importedAssets ?? [])]
          : [],
      );
      const plain = readdirSync(still, { recursive: true, encoding: 'utf8' })
        .map((name) => name.replaceAll('\\', '/'))
        // The posters of the card tables are no part of the shell: it starts without them.
        .filter((name) => /\.(svg|png|woff2|webmanifest)$/.test(name) && !name.startsWith('casino/'));
      const hash = createHash('sha256').update(worker.code);
      for (const name of built.sort()) hash.update(name);
      for (const name of plain.sort()) hash.update(name).update(readFileSync(join(still, name)));
      const paths = (names: string[]) => names.map((name) => `/${name}`);
      const files = paths([...built.filter((name) => !later.includes(name)), ...plain]);
      const version = hash.digest('hex').slice(0, 16);
      worker.code = worker.code.replace('__SHELL__', () =>
        JSON.stringify({ version, files, later: paths([...new Set(later)]) }),
      );
      if (worker.code.includes('__SHELL__')) throw new Error('The service worker names __SHELL__ more than once.');
    },
  };
}

const one = (sheets: (id: string) => boolean, files: RegExp) => (id: string) => sheets(id) || files.test(id);

/** What is opened by its address most; other screens load when their route is known. All but the entrance come with the app. */
const FIRST: Readonly<Record<string, string>> = {
  entrance: 'src/app/entrance.tsx',
  app: 'src/app/app.tsx',
  shell: 'src/app/signed-in-shell.tsx',
  home: 'src/features/lists/landing.tsx',
  event: 'src/features/event/event-page.tsx',
  race: 'src/features/race/race-page.tsx',
};

/** What the page's entry brings once the first picture stands, whatever the address. */
const CLIENT = 'src/main.tsx';

/**
 * Writes into the page the files of the client, and which its first screens need, for /theme.js to ask for while the page itself
 * is still read: without it they would be known only after the entry has been loaded and run. All of them come behind the styles.
 */
function firstChunks(): Plugin {
  return {
    name: 'first-chunks',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        if (!bundle || !chunk) return html;
        const closure = (name: string, seen = new Set<string>()): Set<string> => {
          const one = bundle[name];
          if (one?.type !== 'chunk' || seen.has(name)) return seen;
          seen.add(name);
          for (const next of one.imports) closure(next, seen);
          return seen;
        };
        const chunkOf = (module: string) => {
          const own = Object.values(bundle).find(
            (one) => one.type === 'chunk' && one.facadeModuleId === join(import.meta.dirname, module),
          );
          if (own?.type !== 'chunk') throw new Error(`There is no chunk of ${module}.`);
          return own;
        };
        const entry = closure(chunk.fileName);
        const client = [...closure(chunkOf(CLIENT).fileName)].filter((name) => !entry.has(name));
        const known = new Set([...entry, ...client]);
        const files: Record<string, string[]> = {};
        for (const [key, module] of Object.entries(FIRST)) {
          const own = chunkOf(module);
          const needed = [...closure(own.fileName)].filter((name) => !known.has(name));
          const styles = needed.flatMap((name) => {
            const one = bundle[name];
            return one?.type === 'chunk' ? [...(one.viteMetadata?.importedCss ?? [])] : [];
          });
          files[key] = [...new Set([...needed, ...styles])].map((name) => `/${name}`);
          if (key === 'app') closure(own.fileName, known);
        }
        // What other languages need.
        const speech = chunkOf('src/platform/speech.ts');
        for (const [name, one] of Object.entries(bundle)) {
          const of = languageOf(one);
          if (of?.whole) files[of.language] = [`/${name}`, `/${speech.fileName}`];
        }
        const text = JSON.stringify(files).replaceAll('"', '&quot;');
        const mark = '<meta name="fairgame-chunks" content="" />';
        if (!html.includes(mark)) throw new Error('The page has no place for its first chunks.');
        return {
          html: html.replace(mark, () => `<meta name="fairgame-chunks" content="${text}" />`),
          tags: client.map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}`, fetchpriority: 'low' },
            injectTo: 'head',
          })),
        };
      },
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  css,
  plugins: [
    leanCalls(),
    spokenMessages(),
    react(),
    writtenClassNames(),
    layersFirst(),
    firstScript(),
    firstChunks(),
    shellFiles(),
  ],
  server: { port: 5173, proxy },
  preview: { proxy },
  build: {
    target: 'es2022',
    // Under the CSP nothing may be inlined as a data: script or style, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    // The size check reads which chunks a screen loads.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The doors of the rooms only pass on: who takes one name by them loads that name's file and no other.
      treeshake: {
        moduleSideEffects: [{ test: /src[\\/](api|betting|live|session|slip)[\\/]\1[.]ts$/, sideEffects: false }],
      },
      input: { index: 'index.html', sw: 'src/sw/sw.ts' },
      output: {
        // The worker's address is the same for ever, and its scope is the folder it stands in.
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // One chunk for what every screen needs, named so that the size check can find it; the rest follows the lazy routes.
        codeSplitting: {
          groups: [
            // All that the page's entry stands on: with the base it would bring the client before the first picture.
            { name: 'first', priority: 5, test: one(firstSheets, /vite[\\/]preload-helper/) },
            { name: 'react', priority: 4, test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            // What the sign-in and every other screen stand on; the fields of forms and the sign-in itself are not of it.
            {
              name: 'base',
              priority: 3,
              test: /src[\\/](app[\\/](public-frame|offline-banner|error-boundary|lazy-screen|arrival)|sign-in[\\/]sign-in|(ui|platform)[\\/](toast-view|live-region|language|offered|trans|title|theme-button|note|when-quiet|zone))\.tsx?$|icons[\\/]Icon(ChevronDown|Lock|PlayerPlay|ShieldHeart|User)\.mjs$/,
            },
            { name: 'field', priority: 2, test: /src[\\/]ui[\\/]field\.tsx$/ },
            { name: 'sign-in', priority: 2, test: /src[\\/]features[\\/]login[\\/](sign-in|login-page)\.tsx$/ },
            // What the client stands on: its routes and readings.
            {
              name: 'client',
              priority: 2,
              test: /node_modules[\\/]@tanstack[\\/]|src[\\/]platform[\\/](router|routing|scroll-place)[.]tsx?$/,
            },
            // What every signed-in screen shows around itself.
            {
              name: 'play',
              priority: 1,
              test: one(
                insideSheets,
                /src[\\/](app[\\/](header|notice-bar|side-nav|slip-place|session-guard|top-bar|bottom-bar|modals)|ui[\\/]crest|betting[\\/](runner-market|delay-note|favourites|not-loaded|trend))\.tsx?$/,
              ),
            },
            // What the event page adds, with its drawings.
            {
              name: 'event',
              priority: 1,
              test: /src[\\/](features[\\/]event[\\/](others|fancy|picture)|betting[\\/](fancy-market|event-score))\.tsx?$/,
            },
            // What is left of the drawings: one file of all is sooner there than twenty.
            {
              name: 'icons',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2000,
              test: /@tabler[\\/]icons-react/,
            },
          ],
        },
      },
    },
  },
  test: {
    name: 'web',
    environment: 'happy-dom',
    // A thread has a window of its own as a process has, and is sooner there.
    pool: 'threads',
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    setupFiles: ['./test/setup.ts'],
    testTimeout: 60_000,
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'scoped' } },
  },
});
