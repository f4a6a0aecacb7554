/** A forgotten password is set anew with a code that goes to the mailbox of the account: the owner's own way out of a lock. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { CodedError, auth as calls } from '@fairgame/contract';
import type { Http } from '../http/http.ts';
import { letterCode } from './codes.ts';
import { endAll, mayTry, notify, type Parts, unlock } from './parts.ts';
import { checkChosenPassword } from './passwords.ts';
import { shortest } from './sign-in.ts';
import type { Trier } from './tries.ts';
import { nameKey, SHUT } from './users.ts';

const CODE_LIFE_MS = 15 * 60_000;
const RESEND_MS = 60_000;

interface Sent {
  /** Hexadecimal. */
  hash: string;
  at: number;
}

/**
 * Codes are kept as keyed hashes: after a restart of the only process the player asks for another. Nothing of the answers tells
 * whether a name exists; wrong codes climb the ladder of wrong passwords, on a step of their own. A second factor stays: the new password
 * alone opens nothing.
 */
export function forgottenRoutes(parts: Parts, key: Buffer, http: Http): void {
  const { users, clock, config } = parts;
  const sent = parts.notes<Sent>('forgotten');
  const hashOf = (userId: number, code: string) => createHmac('sha256', key).update(`${userId} ${code}`).digest();

  async function send(userName: string): Promise<void> {
    const user = await users.byName(userName);
    if (!parts.deliver || !user || user.role !== 'user' || user.world === 'demo' || SHUT.has(user.status)) return;
    // A local site needs no mailbox: its log is one.
    const to =
      user.email ?? (config.profile === 'local' && !config.smtpUrl ? `${user.userName} (server log)` : undefined);
    const last = sent.get(String(user.id));
    if (to === undefined || (last && clock() - last.at < RESEND_MS)) return;
    const code = letterCode();
    sent.set(String(user.id), { hash: hashOf(user.id, code).toString('hex'), at: clock() });
    await parts.deliver({
      to,
      subject: 'A new password',
      text: `Your code for a new password is ${code}. It is valid for 15 minutes. If you did not ask for it, do nothing: your password stays as it is.`,
    });
    parts.security('password.forgotten', { userId: user.id });
  }

  http.open(calls.forgot, ({ body }) => {
    if (!parts.deliver) throw new CodedError('NOT_OPEN_YET', { message: 'Please contact support for a new password.' });
    // Not waited for: a name that exists must not answer later.
    send(body.userName).catch((error: unknown) => parts.log.error({ err: error }, 'code for a new password not sent'));
    return { data: null, message: 'If we know this name, a code is on its way to its mailbox.' };
  });

  http.open(calls.reset, async ({ body, ip }) => {
    const name = nameKey(body.userName);
    const trier: Trier = { role: 'user', nameKey: `${name}\nforgotten`, ip, isKnown: true };
    await parts.tryInTurn(`forgotten ${name}`, async () => {
      mayTry(parts, trier);
      const user = await users.byName(body.userName);
      const kept = user && sent.get(String(user.id));
      const isAlive = kept !== undefined && clock() - kept.at < CODE_LIFE_MS;
      if (!user || !isAlive || !timingSafeEqual(Buffer.from(kept.hash, 'hex'), hashOf(user.id, body.code))) {
        parts.tries.failed(trier, clock());
        parts.security('password.code.wrong', { name: name.slice(0, 64), ip });
        throw new CodedError('CODE_WRONG', { field: 'code' });
      }
      const chosen = { password: body.newPassword, userName: user.userName, old: '', min: shortest(parts, user) };
      await checkChosenPassword(chosen, parts.judge);
      if (!(await parts.isFirst(`forgotten ${user.id} ${kept.hash}`)))
        throw new CodedError('CODE_WRONG', { field: 'code' });
      sent.delete(String(user.id));
      parts.tries.passed(trier);
      await users.setPassword(user.id, await parts.passwords.hash(body.newPassword), false);
      await unlock(parts, user);
      await parts.record({ actor: `player:${user.id}`, action: 'password.reset', object: `player:${user.id}` });
      await endAll(parts, user.id, 'password');
      const text =
        'A new password was set for your account with a code sent to you. If this was not you, contact support at once.';
      await notify(parts, user, 'New password', text);
    });
    return { data: null, message: 'Your new password is set. Please sign in with it.' };
  });
}
