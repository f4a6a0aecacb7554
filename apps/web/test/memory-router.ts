import { memoryHistory, type Route, Router } from '../src/platform/router.ts';

export { matchRoutes } from '../src/platform/router.ts';
export { Outlet, RouterProvider } from '../src/platform/routing.tsx';

/** A router beside the browser's history: a test begins at an address and leaves none behind. */
export const createMemoryRouter = (routes: readonly Route[], { initialEntries = ['/'] } = {}): Router =>
  new Router(routes, memoryHistory(initialEntries[0]));
