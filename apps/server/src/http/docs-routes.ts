import type { FastifyInstance } from 'fastify';
import { apiHtml, DOCS_CSS, openApi } from './docs.ts';

/** /api/docs: what the calls are, as a page and as an OpenAPI document. Made once, on the first request. */
export function docsRoutes(app: FastifyInstance): void {
  let page: string | undefined;
  let document: string | undefined;
  app.get('/api/docs', async (_req, reply) => {
    page ??= apiHtml();
    return reply.type('text/html; charset=utf-8').send(page);
  });
  app.get('/api/docs/openapi.json', async (_req, reply) => {
    document ??= JSON.stringify(openApi());
    return reply.type('application/json').send(document);
  });
  app.get('/api/docs/docs.css', async (_req, reply) => reply.type('text/css; charset=utf-8').send(DOCS_CSS));
}
