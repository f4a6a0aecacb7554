import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { Config } from '../config.ts';

/** Screens that stand in a frame of our own pages; every other page is never framed. */
const FRAMEABLE = /^\/(videoPage|liveStream|scoreBoardPage|frame\/)/;

/** Headers of every answer (trust SEC-F2); the CSP is set beside them, since it depends on the page. */
export function helmetOptions(): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: false,
    strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    // The first blank page of a visit has none of our headers: asking for it only warns on the console.
    originAgentCluster: false,
    xFrameOptions: false,
    xPoweredBy: true,
  };
}

export const PERMISSIONS =
  'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), ' +
  'fullscreen=*, autoplay=*, encrypted-media=*';

/** Content security policy of a path (trust SEC-F1): nothing inline, nothing foreign but the configured frames. */
export function contentPolicy(config: Config, path: string): string {
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
    `frame-ancestors ${FRAMEABLE.test(path) ? "'self'" : "'none'"}`,
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
