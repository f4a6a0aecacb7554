import { defineConfig } from 'vitest/config';

// One project a layer, so that each can be run alone: `npx vitest run --project exchange`.
const node = (name: string, include: string[], extra: object = {}) => ({
  test: { name, include, environment: 'node' as const, ...extra },
});

export default defineConfig({
  test: {
    projects: [
      node('contract', ['packages/contract/test/**/*.test.ts']),
      node('exchange', ['packages/exchange/test/**/*.test.ts'], { testTimeout: 120_000 }),
      node('casino', ['packages/casino/test/**/*.test.ts'], { testTimeout: 120_000 }),
      node('studio', ['packages/studio/test/**/*.test.{ts,tsx}'], { testTimeout: 120_000 }),
      node('server', ['apps/server/test/**/*.test.ts'], { testTimeout: 60_000, hookTimeout: 60_000 }),
      './apps/web/vite.config.ts',
      node('e2e', ['e2e/**/*.e2e.ts'], {
        testTimeout: 120_000,
        hookTimeout: 240_000,
        // Each file has a site and a browser of its own; they mostly wait.
        maxWorkers: 2,
        expect: { poll: { timeout: 8000, interval: 50 } },
      }),
    ],
  },
});
