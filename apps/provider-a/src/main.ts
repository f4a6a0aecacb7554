/**
 * Alder Games (provider A). Beside the environment of every provider (packages/studio/src/host/program.ts), port 7101 where
 * PORT is left out:
 *
 * PROVIDER_KEYS    `id:hex,id:hex`: the secrets shared with the operator, 32 bytes each; the first signs, any is taken
 */
import { fileURLToPath } from 'node:url';
import { providerEnv, runProvider } from '@fairgame/studio/host';
import { dialectA } from './dialect.ts';
import { alder } from './games.ts';

try {
  const env = providerEnv(process.env, 'a', 7101, fileURLToPath(import.meta.url));
  await runProvider(env, alder, dialectA(env.operatorUrl, env.keys('PROVIDER_KEYS')));
} catch (error) {
  console.error(`Alder Games did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
