import type { ComponentType, ReactNode } from 'react';
import { Signal } from './listeners.ts';

/** Where the player is. Entries of the history that have the same address differ by their key. */
export interface Place {
  pathname: string;
  /** With its question mark, or nothing. */
  search: string;
  hash: string;
  key: string;
  /** What whoever led here said beside the address. */
  state: unknown;
}

/** A frame around its children, which has no path of its own, or a screen, which has no children. */
export interface Route {
  /** `:name` takes one part of an address, `*` whatever is left. Letters' case counts. */
  path?: string;
  children?: readonly Route[];
  Component?: ComponentType;
  element?: ReactNode;
  /** Its code, fetched when it is first led to. */
  lazy?: () => Promise<{ Component: ComponentType }>;
  /** Another address to go to instead, asked before anything is fetched. */
  guard?: (pathname: string) => string | null;
  /** What those around the screen read of it. */
  handle?: unknown;
}

export type Params = Readonly<Record<string, string>>;

export interface Match {
  route: Route;
  params: Params;
}

/** POP: the browser's own way, and the first place. */
export type Action = 'POP' | 'PUSH' | 'REPLACE';

export interface RouterState {
  readonly place: Place;
  readonly action: Action;
  /** From the outermost frame to the screen. */
  readonly matches: readonly Match[];
  /** Why there is no screen; of an address that leads nowhere a Response. */
  readonly failure: { error: unknown } | null;
  /** The next screen is being fetched: this one stays until it is there. */
  readonly loading: boolean;
  /** False until the first screen is there. */
  readonly ready: boolean;
}

/** What the router needs of a browser. */
export interface RouterHistory {
  place(): Place;
  write(place: Place, replaces: boolean): void;
  go(steps: number): void;
  /** Told when the browser went somewhere by itself. */
  listen(moved: () => void): () => void;
}

export interface NavigateOptions {
  replace?: boolean;
  state?: unknown;
  /** Who holds the screen is not asked: what he would lose is kept, or was given up. */
  unasked?: boolean;
}

export const addressOf = ({ pathname, search, hash }: Pick<Place, 'pathname' | 'search' | 'hash'>): string =>
  pathname + search + hash;

/** A place of this site, whatever the address says of another. */
export function placeAt(address: string, state: unknown = null): Place {
  // What begins with two slashes would be the name of another site, also when it is written back.
  const { pathname, search, hash } = new URL(address.replace(/^[/\\]+/, '/'), 'https://site.invalid');
  return { pathname: pathname.replace(/^\/+/, '/'), search, hash, state, key: Math.random().toString(36).slice(2, 10) };
}

/** What the parts of a path stand for, or null where it is another path. A slash more or less says nothing. */
export function paramsOf(path: string, pathname: string): Params | null {
  const wanted = path.split('/').filter(Boolean);
  const given = pathname.split('/').filter(Boolean);
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    if (part === '*') return params;
    const text = decoded(given[at] ?? '');
    if (part.startsWith(':') && text !== '') params[part.slice(1)] = text;
    else if (part !== text) return null;
  }
  return wanted.length === given.length ? params : null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The way to the first screen of the table with this path; null where there is none. */
export function matchRoutes(routes: readonly Route[], pathname: string): Match[] | null {
  for (const route of routes) {
    if (route.children) {
      const inside = matchRoutes(route.children, pathname);
      if (inside) return [{ route, params: {} }, ...inside];
    } else if (route.path !== undefined) {
      const params = paramsOf(route.path, pathname);
      if (params) return [{ route, params }];
    }
  }
  return null;
}

/**
 * Leads from screen to screen: guards first, then the code, and only then address and screen change together. Who goes
 * elsewhere meanwhile goes there: the latest wish counts.
 */
export class Router {
  state: RouterState;
  /** The path of the latest wish, also while its screen is not there yet. */
  headingFor = '';
  readonly #routes: readonly Route[];
  readonly #history: RouterHistory;
  readonly #changed = new Signal();
  readonly #loaded = new Map<Route, ComponentType>();
  readonly #stop: () => void;
  #turn = 0;
  #mayLeave: (() => Promise<boolean>) | null = null;

  constructor(routes: readonly Route[], history: RouterHistory) {
    this.#routes = routes;
    this.#history = history;
    const place = history.place();
    this.state = { place, action: 'POP', matches: [], failure: null, loading: false, ready: false };
    this.#stop = history.listen(() => void this.#follow());
    void this.#lead(place, 'POP');
  }

  readonly subscribe = this.#changed.on;

  /** Resolves once the first screen is there, or why there is none. */
  async ready(): Promise<void> {
    if (this.state.ready) return;
    await new Promise<void>((done) => {
      const stop = this.subscribe(() => {
        if (!this.state.ready) return;
        stop();
        done();
      });
    });
  }

  /** To an address of this site, or so many steps along the history. Resolves when that, or something later, is there. */
  readonly navigate = async (
    to: string | number,
    { replace = false, state = null, unasked = false }: NavigateOptions = {},
  ) => {
    // So many steps are asked about where the browser says that it went.
    if (typeof to === 'number') this.#history.go(to);
    else if (unasked || !this.#mayLeave || (await this.#mayLeave()))
      await this.#lead(placeAt(to, state), replace ? 'REPLACE' : 'PUSH');
  };

  /** Whoever has something to lose is asked before another place is led to. Returns how to let go. */
  readonly hold = (mayLeave: () => Promise<boolean>): (() => void) => {
    this.#mayLeave = mayLeave;
    return () => {
      if (this.#mayLeave === mayLeave) this.#mayLeave = null;
    };
  };

  /** Follows the browser no longer. */
  close(): void {
    this.#turn += 1;
    this.#stop();
  }

  /** What draws a match; nothing for a frame that only guards. */
  readonly componentOf = (route: Route): ComponentType | undefined => route.Component ?? this.#loaded.get(route);

  /** The browser went somewhere by itself. It is there already: who stays is given his address again. */
  async #follow(): Promise<void> {
    const leaves = this.#mayLeave === null || (await this.#mayLeave());
    const place = this.#history.place();
    if (leaves) await this.#lead(place, 'POP');
    else if (place.key !== this.state.place.key) this.#history.write(this.state.place, false);
  }

  async #lead(place: Place, action: Action): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    this.headingFor = place.pathname;
    const matches = matchRoutes(this.#routes, place.pathname) ?? [];
    let failure: RouterState['failure'] = null;
    try {
      if (matches.length === 0) throw new Response(null, { status: 404 });
      for (const { route } of matches) {
        const detour = route.guard?.(place.pathname) ?? null;
        // The entry is replaced, so that Back never leads into it again.
        if (detour !== null) return await this.#lead(placeAt(detour), 'REPLACE');
      }
      const missing = matches.filter(({ route }) => route.lazy && !this.#loaded.has(route));
      if (missing.length > 0) {
        this.#set({ ...this.state, loading: true });
        await Promise.all(missing.map(({ route }) => this.#load(route)));
      }
    } catch (error) {
      failure = { error };
    }
    if (turn !== this.#turn) return;
    if (action !== 'POP') this.#history.write(place, action === 'REPLACE');
    this.#set({ place, action, matches, failure, loading: false, ready: true });
  }

  async #load(route: Route): Promise<void> {
    this.#loaded.set(route, (await route.lazy!()).Component);
  }

  #set(state: RouterState): void {
    this.state = state;
    this.#changed.tell();
  }
}

/** The history of the browser. */
export const browserHistory: RouterHistory = {
  place() {
    const { state, key } = (history.state ?? {}) as Partial<Place>;
    return { ...placeAt(addressOf(location), state ?? null), key: key ?? 'first' };
  },
  write(place, replaces) {
    const kept = { state: place.state, key: place.key };
    const address = addressOf(place);
    try {
      if (replaces) history.replaceState(kept, '', address);
      else history.pushState(kept, '', address);
    } catch {
      // A browser takes only so many of these in a time.
      location.assign(address);
    }
  },
  go: (steps) => history.go(steps),
  listen(moved) {
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  },
};

/** A history of its own, which no address bar shows: for a page that shows screens of others. */
export function memoryHistory(address = '/'): RouterHistory {
  const places = [placeAt(address)];
  let at = 0;
  let told = () => {};
  return {
    place: () => places[at]!,
    write(place, replaces) {
      if (!replaces) at += 1;
      places.splice(at, replaces ? 1 : places.length, place);
    },
    go(steps) {
      at = Math.min(places.length - 1, Math.max(0, at + steps));
      told();
    },
    listen(moved) {
      told = moved;
      return () => {
        told = () => {};
      };
    },
  };
}
