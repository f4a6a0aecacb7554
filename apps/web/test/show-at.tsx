import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { queryClient } from '../src/api/queries.ts';
import { createMemoryRouter, RouterProvider } from './memory-router.ts';
import { settle } from './settle.ts';

/** Routes at an address, once what they ask first is answered. */
export async function showAt(path: string, routes: Parameters<typeof createMemoryRouter>[0]) {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await settle();
  return router;
}
