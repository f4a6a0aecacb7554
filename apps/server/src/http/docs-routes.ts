import type { FastifyInstance } from 'fastify';
import { sendShared } from './calls.ts';
import { apiHtml, DOCS_CSS, openApi } from './docs.ts';
import { type SharedAnswer, sharedAnswer } from './shared.ts';

/** /api/docs: what the calls are, as a page and as an OpenAPI document. Made and compressed once, on the first request. */
export function docsRoutes(app: FastifyInstance): void {
  const serve = (path: string, type: string, make: () => string): void => {
    let made: SharedAnswer | undefined;
    app.get(path, { config: { pace: 'page' } }, (req, reply) => {
      made ??= sharedAnswer(make());
      return sendShared(req, reply.header('cache-control', 'no-cache'), made, type);
    });
  };
  serve('/api/docs', 'text/html; charset=utf-8', apiHtml);
  serve('/api/docs/openapi.json', 'application/json', () => JSON.stringify(openApi()));
  serve('/api/docs/docs.css', 'text/css; charset=utf-8', () => DOCS_CSS);
}
