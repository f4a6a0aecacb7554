import type { AnyCall, ErrorBody, InputOf } from '@fairgame/contract';
import { t } from '@lingui/core/macro';
import { say } from '../platform/language.ts';
import { authState, endSession } from '../session/session.ts';
import { ApiError, addressOf, withSeen } from './call.ts';

/** A long one is made while it comes: only its beginning has a time. */
const BEGIN_MS = 60_000;

/** Reads a call that answers a file. Rejects with an ApiError, also where the file was cut off before its end. */
export async function readFile<C extends AnyCall>(call: C, input: InputOf<C>): Promise<Blob> {
  const { params, query } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> };
  const { authToken } = authState();
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), BEGIN_MS);
  try {
    const response = await fetch(addressOf(call, params, query), {
      headers: withSeen(authToken ? { Authorization: `Bearer ${authToken}` } : {}),
      signal: control.signal,
      credentials: 'omit',
    });
    clearTimeout(timer);
    if (response.ok) return await response.blob();
    const told = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
    if (response.status === 401 && authToken === authState().authToken) endSession('ended');
    throw new ApiError(
      response.status,
      told?.code ?? 'INTERNAL',
      told?.message ? say(told.message) : t`The server gave no readable answer.`,
      told?.field,
    );
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, 'NETWORK', t`No answer from the server. Check your connection.`);
  } finally {
    clearTimeout(timer);
  }
}
