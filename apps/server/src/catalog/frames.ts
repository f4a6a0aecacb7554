/**
 * Addresses of the picture and score frames of an event, and the server's own pages behind them: where the operator has
 * no stream, the match is drawn (decisions.md, Video). The picture runs five seconds late, as live pictures do; its page
 * has no inline script or style and reads only what every player may see.
 */
import type { MarketImage, Score } from '@fairgame/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LiveEvent } from './events.ts';
import { FRAME_CSS, FRAME_JS } from './frame-assets.ts';
import type { Images } from './images.ts';

/** Hosts the operator configured, `https://host`; the event's exchange id is joined to them. */
export interface FrameHosts {
  streamHost?: string | undefined;
  scoreHost?: string | undefined;
}

export const PICTURE_DELAY_MS = 5000;

export function frameAddresses(
  live: LiveEvent,
  wanted: { tv: boolean; score: boolean },
  hosts: FrameHosts,
): { tvData: { iframeUrl: string | null }; scoreData: { iframeUrl: string | null } } {
  const outside = encodeURIComponent(live.event.beventId || String(live.id));
  const tv = hosts.streamHost ? `${hosts.streamHost}/${outside}` : `/frame/tv/${live.id}`;
  const score = hosts.scoreHost ? `${hosts.scoreHost}/${outside}` : `/frame/score/${live.id}`;
  return {
    tvData: { iframeUrl: wanted.tv && live.event.isTv ? tv : null },
    scoreData: { iframeUrl: wanted.score ? score : null },
  };
}

interface Shown {
  at: number;
  score: Score | null;
}

export interface FrameSources {
  event(eventId: number): LiveEvent | undefined;
  images: Images;
  headOf: (eventId: number) => number | undefined;
  clock: () => number;
  onChange: (listener: (change: { type: string; eventId: number }) => void) => () => void;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; require-trusted-types-for 'script'";

/** Serves `/frame/tv/{id}`, `/frame/score/{id}` and what they need. */
export function framePages(app: FastifyInstance, from: FrameSources): void {
  const late = new Map<number, Shown[]>();
  from.onChange(({ type, eventId }) => {
    if (type === 'closed') return void late.delete(eventId);
    if (type !== 'score') return;
    const list = late.get(eventId) ?? [];
    list.push({ at: from.clock(), score: from.event(eventId)?.score ?? null });
    // Of what is older than the delay only the newest is ever shown.
    while (list.length > 1 && list[1]!.at <= from.clock() - PICTURE_DELAY_MS) list.shift();
    late.set(eventId, list);
  });

  const lateScore = (live: LiveEvent): Score | null => {
    const list = late.get(live.id);
    if (!list) return live.score;
    const until = from.clock() - PICTURE_DELAY_MS;
    return list.findLast((shown) => shown.at <= until)?.score ?? null;
  };

  const open = (reply: FastifyReply) => reply.header('cache-control', 'no-cache');
  const page = (kind: 'tv' | 'score') => (_req: unknown, reply: FastifyReply) =>
    open(reply)
      .header('content-security-policy', POLICY)
      .type('text/html; charset=utf-8')
      .send(HTML.replace('KIND', kind));
  const paced = { config: { pace: 'page' as const } };
  app.get('/frame/tv/:id', paced, page('tv'));
  app.get('/frame/score/:id', paced, page('score'));
  app.get('/frame/frame.js', paced, (_req, reply) => open(reply).type('text/javascript; charset=utf-8').send(FRAME_JS));
  app.get('/frame/frame.css', paced, (_req, reply) => open(reply).type('text/css; charset=utf-8').send(FRAME_CSS));
  app.get<{ Params: { id: string }; Querystring: { kind?: string } }>('/frame/data/:id', paced, (req, reply) => {
    const live = /^[1-9]\d{0,15}$/.test(req.params.id) ? from.event(Number(req.params.id)) : undefined;
    // Readable by the sandboxed page as well: it says in words that the event is gone.
    if (!live) return open(reply).code(404).send({ statusCode: 404, message: 'This event does not exist.' });
    const head = from.headOf(live.id);
    return open(reply).send({
      title: live.event.title,
      competition: live.event.competitionName,
      venue: live.event.venue ?? '',
      matchType: live.matchType,
      startAt: live.startAt,
      over: live.stopAt !== null,
      score: req.query.kind === 'tv' ? lateScore(live) : live.score,
      silks: live.event.race?.runners.map((runner) => ({ id: runner.runnerId, body: runner.silks.body })) ?? [],
      chances: head === undefined ? [] : chances(from.images.image('real', head)),
    });
  });
}

/** What the best prices say about who wins, in percent; a bar under the picture. */
function chances(image: MarketImage | undefined): Array<{ name: string; percent: number }> {
  const priced = (image?.runners ?? []).filter((runner) => runner.back[0] && runner.status !== 'REMOVED');
  const sum = priced.reduce((total, runner) => total + 100 / runner.back[0]![0], 0);
  if (sum === 0) return [];
  return priced
    .map((runner) => ({ name: runner.name, percent: Math.round(10_000 / runner.back[0]![0] / sum) }))
    .sort((a, b) => b.percent - a.percent)
    .slice(0, 4);
}

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Match</title>
<link rel="stylesheet" href="/frame/frame.css">
</head>
<body data-kind="KIND">
<main aria-live="off">
<p id="title">Loading</p>
<svg id="field" viewBox="0 0 640 360" preserveAspectRatio="xMidYMid slice" role="img" aria-label="Picture of the match"></svg>
<div id="lines"></div>
<p id="late" hidden>Drawn from the score, 5 seconds late</p>
</main>
<script src="/frame/frame.js"></script>
</body>
</html>
`;
