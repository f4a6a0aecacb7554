/**
 * The service worker: keeps the client's own files, so that a start without a network shows the shell and its banner.
 * It never answers for the API, a socket or a frame: prices, bets and balances come from the server or not at all. And it
 * shows the alerts that are pushed while no page is in front.
 *
 * Each build is one cache, named by a hash of all its files. A new worker waits until the tabs of the old client are
 * closed, so that no open tab loses the files it may still need; then the old caches go.
 */
declare const __SHELL__: { version: string; files: string[]; later: string[] };
const shell = __SHELL__;

/** What is used of the worker's scope; the DOM library of the client does not know it. */
interface Scope {
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(done: Promise<unknown>): void }) => void,
  ): void;
  addEventListener(
    type: 'fetch',
    listener: (event: { request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
  addEventListener(
    type: 'push',
    listener: (event: { data: { json(): unknown } | null; waitUntil(done: Promise<unknown>): void }) => void,
  ): void;
  addEventListener(
    type: 'notificationclick',
    listener: (event: { notification: Notification; waitUntil(done: Promise<unknown>): void }) => void,
  ): void;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(of: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  location: Location;
}
interface Page {
  url: string;
  frameType: 'auxiliary' | 'top-level' | 'nested' | 'none';
  visibilityState: 'visible' | 'hidden';
  focus(): Promise<unknown>;
  navigate(address: string): Promise<unknown>;
}
const scope = globalThis as unknown as Scope;

const PREFIX = 'fairgame-';
const CACHE = PREFIX + shell.version;
const PAGE = '/index.html';
const FILES = new Set(shell.files);
/** Kept once they were asked for: the messages of a language. */
const LATER = new Set(shell.later);
/** Pages of the server itself. */
const NOT_OURS = /^\/(api|socket\.io|frame|docs|livez|readyz|metrics|csp-report)(\/|$)/;

scope.addEventListener('install', (event) => {
  event.waitUntil(keepShell());
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(dropOld().then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== scope.location.origin || NOT_OURS.test(pathname)) return;
  if (request.mode === 'navigate') {
    if (request.destination === 'document') event.respondWith(page(request));
  } else if (FILES.has(pathname) || LATER.has(pathname)) event.respondWith(file(request, pathname));
});

scope.addEventListener('push', (event) => {
  event.waitUntil(showPushed(event.data));
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goTo((event.notification.data as { path?: string } | null)?.path ?? '/alerts'));
});

async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Files named by their content come from the browser's own cache; the others are asked for anew.
  await cache.addAll(
    [PAGE, ...shell.files].map((path) => new Request(path, path.startsWith('/assets/') ? {} : { cache: 'reload' })),
  );
}

async function dropOld(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** A page that takes longer is shown from the kept shell, whose banner says what is wrong. */
const PAGE_MS = 8000;

/** The network's page while there is one; without it, or while the server is away, the kept page. */
async function page(request: Request): Promise<Response> {
  const coming = fetch(request).catch(() => null);
  const answer = await within(PAGE_MS, coming);
  if (answer && answer.status < 500) return answer;
  return (await caches.match(PAGE, { cacheName: CACHE })) ?? (await coming) ?? Response.error();
}

/** Scripts and styles are named by their content, so what is kept is what the page means, of whatever build it is. */
async function file(request: Request, pathname: string): Promise<Response> {
  const kept = await caches.match(pathname, { cacheName: CACHE });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && LATER.has(pathname)) {
    const copy = answer.clone();
    // A full disk is no reason to be without words now.
    void caches.open(CACHE).then((cache) => cache.put(pathname, copy).catch(() => undefined));
  }
  return answer;
}

function within<T>(ms: number, coming: Promise<T>): Promise<T | null> {
  return Promise.race([coming, new Promise<null>((resolve) => setTimeout(() => resolve(null), ms))]);
}

/** What the server pushes: which kind of alert, its words in the player's language, and the event everybody knows. */
interface Pushed {
  kind?: unknown;
  text?: unknown;
  event?: unknown;
  match?: { id?: unknown; matchType?: unknown } | null;
}

/** A page in front has told it already. */
async function showPushed(data: { json(): unknown } | null): Promise<void> {
  const { kind, text, event, match } = readPushed(data);
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return;
  const said = typeof text === 'string' ? text : 'An alert came true';
  const body = typeof event === 'string' && event !== '' ? `${event}: ${said}` : said;
  const path = kind === 'BET' ? '/unsettled-bet' : pathOf(match);
  await scope.registration.showNotification('fairGame', { body, icon: '/icon-192.png', tag: body, data: { path } });
}

function readPushed(data: { json(): unknown } | null): Pushed {
  try {
    return (data?.json() ?? {}) as Pushed;
  } catch {
    return {};
  }
}

/** A page of this client, whatever was pushed; as `eventPath` has it, which a worker cannot import: it is one file. */
function pathOf(match: Pushed['match']): string {
  const { id, matchType } = match ?? {};
  if (typeof id !== 'number' || typeof matchType !== 'string') return '/alerts';
  return /^(horseRacing|greyHound)$/.test(matchType)
    ? `/race/${id}`
    : `/game-detail/${encodeURIComponent(matchType)}/${id}`;
}

/**
 * In a page that is open, else in a new one. Who comes anew is asked to sign in first, and is then led there, as the mark in the
 * address says (platform/asked.ts).
 */
async function goTo(path: string): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: false });
  // Those that were used last stand first, and stay so where they are as good as others.
  const [page] = pages.filter(({ frameType }) => frameType !== 'nested').sort((one, other) => rank(one) - rank(other));
  if (!page) return void (await scope.clients.openWindow(path + ASKED));
  // What is open in it stays as it is where it is the right one.
  await page.focus().catch(() => undefined);
  if (pathnameOf(page) !== path) await page.navigate(path + ASKED);

  function rank(one: Page): number {
    const at = pathnameOf(one);
    if (at === path) return 0;
    if (at === '/login') return 3;
    // Windows of their own are not to be lost to another screen.
    return /^\/(ladder|workspace)(\/|$)/.test(at) ? 2 : 1;
  }
}

const ASKED = '#asked';

const pathnameOf = (page: Page): string => new URL(page.url).pathname;
