/**
 * `npx tsx scripts/api-docs.ts`: writes docs/api.md and docs/sockets.md from the contract (its OpenAPI document is served at
 * /api/docs/openapi.json), and from the shapes of the door for programs docs/programs.openapi.json and docs/programs.stream.json.
 */
import { writeFileSync } from 'node:fs';
import { programsOpenApi, streamSchema } from '@fairgame/exchange-api';
import { apiMarkdown, socketsMarkdown } from '../apps/server/src/http/docs.ts';

writeFileSync(new URL('../docs/api.md', import.meta.url), apiMarkdown());
writeFileSync(new URL('../docs/sockets.md', import.meta.url), socketsMarkdown());
for (const [name, document] of [
  ['openapi', programsOpenApi()],
  ['stream', streamSchema()],
] as const)
  writeFileSync(new URL(`../docs/programs.${name}.json`, import.meta.url), `${JSON.stringify(document, null, 1)}\n`);
