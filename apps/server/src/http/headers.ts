/** Headers of answers (trust SEC-F1, SEC-F2, SEC-S7), made once: what a browser must be told of a page, and the little it must be told of data. */
import type { Config } from '../config.ts';

type Headers = Readonly<Record<string, string>>;

/** Of an answer of a call: it is data, read by programs, and nobody keeps it. */
const DATA_HEADERS: Headers = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };

const PERMISSIONS =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), ' +
  'fullscreen=*, autoplay=*, encrypted-media=*';

/** Screens that stand in a frame of our own pages; every other page is never framed. */
const FRAMEABLE = /^\/(videoPage|liveStream|scoreBoardPage)/;

/** Pages of a sandboxed frame have no origin: what they load must allow that, refusals too. Nothing there is private. */
const SANDBOXED = /^\/frame\//;

/** Headers of what a browser shows or loads, by its path. */
function pageHeaders(config: Config): (path: string) => Headers {
  const always = {
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'reporting-endpoints': 'csp="/csp-report"',
    'x-permitted-cross-domain-policies': 'none',
    'cache-control': 'no-store',
  };
  const alone = { ...always, 'content-security-policy': contentPolicy(config, "'none'") };
  const framed = { ...always, 'content-security-policy': contentPolicy(config, "'self'") };
  const sandboxed = { ...framed, 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' };
  return (path) => (SANDBOXED.test(path) ? sandboxed : FRAMEABLE.test(path) ? framed : alone);
}

/** Nothing inline, nothing foreign but the configured frames. */
function contentPolicy(config: Config, ancestors: "'none'" | "'self'"): string {
  const sockets = config.publicOrigin ? ` ${config.publicOrigin.replace(/^http/, 'ws')}` : '';
  const foreign = [...config.frameHosts, ...config.providers.map(({ publicOrigin }) => publicOrigin)];
  const frames = [config.streamHost, config.scoreHost, ...foreign].filter((host) => host !== undefined);
  const images = foreign.map((host) => ` ${host}`).join('');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${images}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `connect-src 'self'${sockets}`,
    `frame-src 'self'${frames.map((host) => ` ${host}`).join('')}`,
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types fairgame-worker',
    'report-uri /csp-report',
    // Browsers that know `report-to` pass over `report-uri`, and send such reports to https only.
    ...(config.publicOrigin?.startsWith('https:') ? ['report-to csp'] : []),
  ].join('; ');
}

/** Headers of the answer to a request for this address. */
export function answerHeaders(config: Config): (url: string) => Readonly<Record<string, string>> {
  const page = pageHeaders(config);
  return (url) => {
    const isData = (url.startsWith('/api/') && !url.startsWith('/api/docs')) || isHealth(url);
    return isData ? DATA_HEADERS : page(url);
  };
}

export function isHealth(url: string): boolean {
  return url === '/livez' || url === '/readyz' || url === '/metrics';
}
