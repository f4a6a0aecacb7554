import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export interface ClientFile {
  body: Buffer;
  type: string;
  etag: string;
  encoding: 'br' | 'gzip' | undefined;
  /** Its name carries a hash of its content: it never changes. */
  immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.txt', '.json', '.webmanifest']);

const zipped = promisify(gzip);
const brotli = promisify(brotliCompress);

interface Kept {
  path: string;
  raw: Buffer;
  type: string;
  etag: string;
  br?: Promise<Buffer>;
  gzip?: Promise<Buffer>;
}

/**
 * The built client, kept in memory: a few megabytes at most, compressed once and off the main thread. A request can only
 * name what the build made, so no path leads anywhere else; what begins with a dot is the build's own business. A new build is noticed by its index.html. Source maps are never served. `metas` are
 * the operator's words for the public pages (support text, frame hosts), put into the page's meta tags of these names.
 */
export function clientFiles(
  folder: string,
  metas: Readonly<Record<string, string>> = {},
): {
  find(path: string, accept: string | undefined): Promise<ClientFile | undefined>;
} {
  let files = new Map<string, Kept>();
  let readAt = -1;

  function refresh(): void {
    let changed: number;
    try {
      changed = statSync(join(folder, 'index.html')).mtimeMs;
    } catch {
      files = new Map();
      readAt = -1;
      return;
    }
    if (changed === readAt) return;
    readAt = changed;
    files = new Map();
    for (const path of walk(folder, '')) {
      if (path.includes('/.')) continue;
      const type = TYPES[extname(path)];
      if (!type) continue;
      const raw =
        path === '/index.html' ? withMetas(readFileSync(join(folder, path)), metas) : readFileSync(join(folder, path));
      const etag = `"${createHash('sha256').update(raw).digest('base64url').slice(0, 27)}"`;
      files.set(path, { path, raw, type, etag });
    }
  }

  refresh();
  return {
    async find(path, accept) {
      if (path.includes('/.')) return undefined;
      let kept = files.get(path);
      if (!kept || kept.path === '/index.html') {
        // A path with an extension is an asset that is not there; anything else is a screen of the client.
        if (!kept && extname(path) !== '' && !path.endsWith('.html')) return undefined;
        refresh();
        kept = files.get('/index.html');
      }
      return kept && encoded(kept, accept ?? '');
    },
  };
}

async function encoded(kept: Kept, accept: string): Promise<ClientFile> {
  const immutable = kept.path.startsWith('/assets/');
  const plain = { body: kept.raw, type: kept.type, etag: kept.etag, encoding: undefined, immutable };
  if (!COMPRESSED.has(extname(kept.path)) || kept.raw.length < 600) return plain;
  if (/\bbr\b/.test(accept)) {
    kept.br ??= brotli(kept.raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    return { ...plain, body: await kept.br, etag: kept.etag.replace(/"$/, '-br"'), encoding: 'br' };
  }
  if (/\bgzip\b/.test(accept)) {
    kept.gzip ??= zipped(kept.raw, { level: 9 });
    return { ...plain, body: await kept.gzip, etag: kept.etag.replace(/"$/, '-gz"'), encoding: 'gzip' };
  }
  return plain;
}

function withMetas(html: Buffer, metas: Readonly<Record<string, string>>): Buffer {
  let text = html.toString('utf8');
  for (const [name, value] of Object.entries(metas)) {
    const safe = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    text = text.replace(`<meta name="${name}" content="" />`, () => `<meta name="${name}" content="${safe}" />`);
  }
  return Buffer.from(text, 'utf8');
}

function* walk(folder: string, below: string): Generator<string> {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(folder, path);
    else if (entry.isFile()) yield path;
  }
}
