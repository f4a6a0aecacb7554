/** One shape for every error of a request. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerHeaders } from './headers.ts';
import type { ListenerOptions } from './options.ts';
import { aboutOf, createRefusals } from './refusals.ts';

/** Answers whatever was thrown. */
export function failures(opts: ListenerOptions): (error: unknown, req: FastifyRequest, reply: FastifyReply) => void {
  const refusalOf = createRefusals(opts);
  const headersOf = answerHeaders(opts.config);
  return (error, req, reply) => {
    const { body, retryAfterS } = refusalOf(error, aboutOf(req));
    if (retryAfterS !== undefined) reply.header('retry-after', String(retryAfterS));
    // An answer of the framework's own has passed no hook.
    if (!reply.hasHeader('x-request-id')) reply.headers(headersOf(req.url)).header('x-request-id', req.id);
    void reply.code(body.statusCode).send(body);
  };
}
