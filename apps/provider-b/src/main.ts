/**
 * Beacon Live (provider B). Beside the environment of every provider (packages/studio/src/host/program.ts), port 7102 where
 * PORT is left out:
 *
 * PROVIDER_PRIVATE_KEYS   `id:base64,id:base64`: our own Ed25519 keys (PKCS #8 DER); the first signs
 * OPERATOR_PUBLIC_KEYS    `id:base64,id:base64`: the operator's (SPKI DER); any is taken
 */
import { fileURLToPath } from 'node:url';
import { providerEnv, runProvider } from '@fairgame/studio/host';
import { dialectB } from './dialect.ts';
import { beacon } from './games.ts';

try {
  const env = providerEnv(process.env, 'b', 7102, fileURLToPath(import.meta.url));
  const keys = { own: env.keys('PROVIDER_PRIVATE_KEYS'), operator: env.keys('OPERATOR_PUBLIC_KEYS') };
  await runProvider(env, beacon, dialectB(env.operatorUrl, keys));
} catch (error) {
  console.error(`Beacon Live did not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
