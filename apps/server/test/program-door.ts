/** A program that calls the door, as tests of it do. */
import { CALLS } from '@fairgame/contract';
import { expect } from 'vitest';
import { PASSWORD } from './server.ts';
import { makeSite, type Site } from './site.ts';

/** Whatever a program would read out of an answer. */
export type Json = ReturnType<typeof JSON.parse>;
export type Player = Awaited<ReturnType<Site['player']>>;
export type Answer = {
  result?: never;
  error?: { code: number; message: string; data: Record<string, Record<string, string>> };
};

/** A site with this door and a player with a key to bet, who has signed in: his key and session are shown where no others are said. */
export function programDoor() {
  let site: Site;
  let base: string;
  let key: string;
  let token: string;
  /** For beforeAll. */
  const open = async () => enter(await makeSite({ PROGRAMS_PORT: '0' }));
  /** The door of a site that was made otherwise. */
  async function enter(own: Site) {
    site = own;
    base = (await site.app.programs.listen())!.calls;
    const anna = await site.player('anna');
    key = await keyOf(anna);
    await renew(anna);
    return { site, base, anna, key };
  }
  /** A session that is shown from now on. */
  async function renew(player: Player): Promise<void> {
    token = await login(player, key);
  }
  async function keyOf(player: Player, more: object = {}): Promise<string> {
    const body = { name: `bot ${Math.random()}`, rights: 'bet' as const, addresses: [], ...more };
    return (await site.call(CALLS.programs.create, { body }, { token: player.token })).data.key;
  }
  async function identity(
    path: string,
    headers: Record<string, string>,
    form?: Record<string, string>,
    method = 'POST',
  ) {
    const response = await fetch(`${base}/api/${path}`, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, string>;
  }
  const signIn = (username: string, password: string, appKey: string) =>
    identity('login', { 'X-Application': appKey }, { username, password });
  async function login(player: Player, appKey: string): Promise<string> {
    const told = await signIn(player.userName, player.password, appKey);
    expect(told).toMatchObject({ status: 'SUCCESS', error: '', product: appKey });
    return told.token!;
  }
  /** The website's own session has ended meanwhile. */
  const fresh = async (player: Player) =>
    (await site.call(CALLS.auth.login, { body: { userName: player.userName, password: PASSWORD } })).data.token;
  const shown = (appKey = key, session = token) => ({ 'X-Application': appKey, 'X-Authentication': session });
  async function post(path: string, body: unknown, headers: Record<string, string> = shown()): Promise<Response> {
    return fetch(`${base}/exchange/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
  /** One call by JSON-RPC; its result, or its error. */
  async function rpc(method: string, params: object = {}, headers = shown()): Promise<Json> {
    const [area, name] = method.includes('/') ? method.split('/') : ['Sports', method];
    const response = await post(
      'betting/json-rpc/v1',
      { jsonrpc: '2.0', method: `${area}APING/v1.0/${name}`, params, id: 1 },
      headers,
    );
    expect(response.status).toBe(200);
    const told = (await response.json()) as Answer & { id: number };
    expect(told.id).toBe(1);
    return told.error ?? told.result;
  }
  return { open, enter, renew, keyOf, identity, signIn, login, fresh, shown, post, rpc };
}

export const codeOf = (error: Answer['error']) => Object.values(error?.data ?? {}).at(-1)?.errorCode;
