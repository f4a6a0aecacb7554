import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
// By its path: who reads the configuration knows no TypeScript in packages.
import { type AnyCall, CALLS, isOperators } from '../../../packages/contract/src/contract.ts';

/** What the client reads of a call (api/api.ts). Its schemas, words and errors are for who answers it. */
const READ = ['name', 'method', 'path', 'who', 'reads', 'line'] as const satisfies ReadonlyArray<keyof AnyCall>;

const ownFile = fileURLToPath(new URL('../../../packages/contract/src/calls.ts', import.meta.url));

/**
 * Puts the calls without their schemas in the place of the contract's own, in development and in tests as well: three in four
 * bytes of the contract, and the whole library of schemas, would be loaded for nothing. Operators' calls stay out.
 */
export function leanCalls(): Plugin {
  const lean = (call: AnyCall) =>
    Object.fromEntries(READ.filter((part) => call[part] !== undefined).map((part) => [part, call[part]]));
  const areas = Object.entries(CALLS as Record<string, Record<string, AnyCall>>).map(([area, calls]) => [
    area,
    Object.fromEntries(
      Object.entries(calls)
        .filter(([, call]) => !isOperators(call))
        .map(([name, call]) => [name, lean(call)]),
    ),
  ]);
  const code = `export const CALLS = ${JSON.stringify(Object.fromEntries(areas))};`;
  return {
    name: 'lean-calls',
    enforce: 'pre',
    load: (id) => (id === ownFile ? code : null),
    generateBundle(_options, bundle) {
      const carrying = Object.values(bundle).filter(
        (one) => one.type === 'chunk' && one.moduleIds.some((id) => /node_modules[\\/]zod[\\/]/.test(id)),
      );
      if (carrying.length > 0)
        throw new Error(`The client carries schemas: ${carrying.map((one) => one.fileName).join(', ')}.`);
    },
  };
}
