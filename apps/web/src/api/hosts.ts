/**
 * Base addresses of the four services (decisions.md): by default all are the server the page came from.
 * Values come from the environment of the build; no host is written in the code.
 */
export type Service = 'api' | 'expert' | 'thirdParty' | 'card';

type Hosts = Record<Service, string>;
const env = import.meta.env as Record<string, string | undefined>;
const hosts = (stage: 'DEV' | 'LIVE'): Hosts => ({
  api: env[`VITE_${stage}_API_HOST`] ?? '',
  expert: env[`VITE_${stage}_EXPERT_HOST`] ?? '',
  thirdParty: env[`VITE_${stage}_THIRD_PARTY_HOST`] ?? '',
  card: env[`VITE_${stage}_CARD_HOST`] ?? '',
});

export const HOSTS = { development: hosts('DEV'), live: hosts('LIVE') } as const;
const present = import.meta.env.DEV ? HOSTS.development : HOSTS.live;

/** Joins a base, /api and a path with exactly one slash between them. */
export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/api/${path.replace(/^\/+/, '')}`;
}

const THIRD_PARTY = ['/cricketScore', '/getIframeUrl/', '/market/list', '/tunnel/'];

/** The service a path belongs to. */
export function baseOf(path: string): string {
  if (path.startsWith('/expert/')) return present.expert;
  if (path.startsWith('/card/')) return present.card;
  return THIRD_PARTY.some((start) => path.startsWith(start)) ? present.thirdParty : present.api;
}

/** Where sockets connect. */
export const socketBase = (): string => present.api || window.location.origin;
