/** `npx tsx scripts/api-docs.ts`: writes docs/api.md and docs/sockets.md from the contract. The OpenAPI document is served at /api/docs/openapi.json. */
import { writeFileSync } from 'node:fs';
import { apiMarkdown, socketsMarkdown } from '../apps/server/src/http/docs.ts';

writeFileSync(new URL('../docs/api.md', import.meta.url), apiMarkdown());
writeFileSync(new URL('../docs/sockets.md', import.meta.url), socketsMarkdown());
