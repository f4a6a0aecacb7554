/** A program that calls the door, as tests of it do. */
import { CALLS } from '@fairgame/contract';
import { expect } from 'vitest';
import { PASSWORD } from './server.ts';
import type { Site } from './site.ts';

/** Whatever a program would read out of an answer. */
export type Json = ReturnType<typeof JSON.parse>;
export type Player = Awaited<ReturnType<Site['player']>>;
export type Answer = {
  result?: never;
  error?: { code: number; message: string; data: Record<string, Record<string, string>> };
};

/** `at`: where it calls, and the key and session that it shows where no others are said. */
export function programDoor(at: () => { site: Site; base: string; key: string; token: string }) {
  async function keyOf(player: Player, more: object = {}): Promise<string> {
    const body = { name: `bot ${Math.random()}`, rights: 'bet' as const, addresses: [], ...more };
    return (await at().site.call(CALLS.programs.create, { body }, { token: player.token })).data.key;
  }
  async function identity(
    path: string,
    headers: Record<string, string>,
    form?: Record<string, string>,
    method = 'POST',
  ) {
    const response = await fetch(`${at().base}/api/${path}`, {
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
    (await at().site.call(CALLS.auth.login, { body: { userName: player.userName, password: PASSWORD } })).data.token;
  const shown = (appKey = at().key, session = at().token) => ({ 'X-Application': appKey, 'X-Authentication': session });
  async function post(path: string, body: unknown, headers: Record<string, string> = shown()): Promise<Response> {
    return fetch(`${at().base}/exchange/${path}`, {
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
  return { keyOf, identity, signIn, login, fresh, shown, post, rpc };
}

export const codeOf = (error: Answer['error']) => Object.values(error?.data ?? {}).at(-1)?.errorCode;
