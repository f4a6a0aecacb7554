import '../client-styles.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { queryClient } from '../api/api.ts';
import { routes, signIn } from './routes.tsx';

/** Opens the client at the address the page has now; answers what draws it, once its first screen is there to be drawn. */
export async function openClient(): Promise<ComponentType> {
  const router = createBrowserRouter(routes);
  if (!router.state.initialized) {
    await new Promise<void>((ready) => {
      const stop = router.subscribe(({ initialized }) => {
        if (!initialized) return;
        stop();
        ready();
      });
    });
  }
  // A few hundred bytes, so that a sign-out without a network leads somewhere.
  signIn().catch(() => undefined);
  return () => (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}
