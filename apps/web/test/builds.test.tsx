import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NewVersion } from '../src/app/new-version.tsx';
import { watchMatches } from '../src/live/match-socket.ts';
import { line } from './fake-line.ts';
import { clear, serve, show } from './trading.tsx';

vi.mock('socket.io-client', async () => (await import('./fake-line.ts')).socketIo);

afterEach(() => {
  clear();
  document.head.innerHTML = '';
});

/** The worker beside a server: which build it keeps, what the network answers, and how late. */
describe('the service worker', () => {
  type Listener = (event: { request: object; respondWith(answer: Promise<Response>): void }) => void;
  let onFetch: Listener;
  let network: (path: string) => Promise<Response>;
  const kept: Record<string, Response> = {};
  const answer = (text: string) => new Response(text);

  beforeEach(async () => {
    vi.useFakeTimers();
    vi.resetModules();
    const shell = { version: 'v1', files: ['/assets/theme-a1.js', '/assets/main-a1.js'], later: ['/assets/hi-a1.js'] };
    vi.stubGlobal('__SHELL__', shell);
    vi.spyOn(globalThis, 'addEventListener').mockImplementation(((type: string, listener: Listener) => {
      if (type === 'fetch') onFetch = listener;
    }) as never);
    kept['/index.html'] = answer('kept page');
    kept['/assets/theme-a1.js'] = answer('kept theme');
    kept['/assets/main-a1.js'] = answer('kept script');
    delete kept['/assets/hi-a1.js'];
    const put = async (path: string, file: Response) => {
      kept[path] = file;
    };
    vi.stubGlobal('caches', {
      match: (path: string) => Promise.resolve(kept[path]?.clone()),
      open: () => Promise.resolve({ put }),
    });
    vi.stubGlobal('fetch', (request: { url: string }) => network(new URL(request.url).pathname));
    await import('../src/sw/sw.ts');
    vi.mocked(globalThis.addEventListener).mockRestore();
  });

  async function get(path: string, mode = 'no-cors'): Promise<string> {
    let told: Promise<Response> | undefined;
    const request = { method: 'GET', url: `${location.origin}${path}`, mode, destination: 'document' };
    onFetch({
      request,
      respondWith(response) {
        told = response;
      },
    });
    await vi.advanceTimersByTimeAsync(10_000);
    return told ? (await told).text() : 'not answered';
  }

  it('gives any page the files that it keeps under their content’s name, and leaves those of another build alone', async () => {
    network = (path) => Promise.resolve(answer(`new ${path}`));
    expect(await get('/home', 'navigate')).toBe('new /home');
    expect(await get('/assets/theme-a1.js')).toBe('kept theme');
    expect(await get('/assets/main-a1.js')).toBe('kept script');
    expect(await get('/assets/theme-b2.js')).toBe('not answered');
    // A language is kept from when it is first asked for.
    expect(await get('/assets/hi-a1.js')).toBe('new /assets/hi-a1.js');
    network = () => Promise.reject(new Error('no network'));
    expect(await get('/assets/theme-a1.js')).toBe('kept theme');
    expect(await get('/assets/hi-a1.js')).toBe('new /assets/hi-a1.js');
  });

  it('shows the kept page when the network is gone, fails or never answers', async () => {
    network = () => new Promise(() => undefined);
    expect(await get('/home', 'navigate')).toBe('kept page');
    network = () => Promise.resolve(new Response('', { status: 502 }));
    expect(await get('/home', 'navigate')).toBe('kept page');
    network = () => Promise.reject(new Error('no network'));
    expect(await get('/home', 'navigate')).toBe('kept page');
  });
});

describe('a new version', () => {
  const entry = (src: string) => {
    document.head.innerHTML = `<script type="module" src="${src}"></script>`;
  };

  it('is said when the line comes back to a site with another build, and not before or else', async () => {
    vi.useFakeTimers();
    line.reset();
    serve();
    entry('/assets/index-old.js');
    let build = 'index-old';
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(`<script src="/assets/${build}.js"></script>`)));
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    const leave = watchMatches([7], 'full');
    show(<NewVersion />);
    await act(() => vi.advanceTimersByTimeAsync(3000));
    const back = async () => {
      line.drop();
      await act(() => vi.advanceTimersByTimeAsync(10_000));
    };
    await back();
    expect(screen.queryByText(/new version/)).toBeNull();
    build = 'index-new';
    expect(screen.queryByText(/new version/)).toBeNull();
    await back();
    expect(screen.getByText(/A new version of the site is here/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Load it' }));
    expect(reload).toHaveBeenCalledOnce();
    fireEvent.click(screen.getByRole('button', { name: 'Later' }));
    expect(screen.queryByText(/new version/)).toBeNull();
    leave();
  });
});
