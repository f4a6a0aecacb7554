import '../client-styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { queryClient } from '../api/api.ts';
import { browserHistory, Router } from '../platform/router.ts';
import { RouterProvider } from '../platform/routing.tsx';
import { RouteErrorScreen } from './error-screen.tsx';
import { routes, signIn } from './routes.tsx';

/** Opens the client at the address the page has now; answers what draws it, once its first screen is there to be drawn. */
export async function openClient(): Promise<ComponentType> {
  const router = new Router(routes, browserHistory);
  await router.ready();
  // A few hundred bytes, so that a sign-out without a network leads somewhere.
  signIn().catch(() => undefined);
  return () => (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} Failed={RouteErrorScreen} />
    </QueryClientProvider>
  );
}
