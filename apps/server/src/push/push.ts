/**
 * Web push (RFC 8030, 8291, 8292): a word to a browser whose page is shut. The library encrypts and signs; where it may be
 * sent, to whom and how long one waits is decided here. Nobody waits for a push, and none is tried twice: what it is about
 * stands in the list of alerts.
 */
import { request as requestPlain } from 'node:http';
import { request as requestSafe } from 'node:https';
import { type AlertKind, CALLS, CodedError } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Db, Log } from '../db/db.ts';
import type { Http } from '../http/http.ts';
import type { Keyring } from '../keyring.ts';
import { wordsIn } from '../words.ts';
import { isEndpoint, publicLookup } from './address.ts';
import { type Place, Places, type VapidKeys } from './places.ts';
import { PUSH_WORDS } from './words.ts';

/** What the service worker reads, with its words. */
export interface PushMessage {
  kind: AlertKind;
  event: string;
  match: { id: number; matchType: string | null } | null;
}

export interface Push {
  routes(http: Http): void;
  /** Begins to send; what does not fit into the queue is not sent. */
  send(messages: ReadonlyArray<{ userId: number; message: PushMessage }>): void;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

export interface PushOptions {
  db: Db;
  auth: Pick<Auth, 'onEnded' | 'onThrownOut' | 'useKept'>;
  keyring: Keyring;
  /** Whom a push service may write to about this site. */
  contact: string;
  /** Tests have a push service on this machine. */
  loopback: boolean;
  clock: () => number;
  log: Log;
}

const AT_ONCE = 20;
const MOST_WAITING = 5000;
const ANSWER_MS = 10_000;
/** A push service gives up then: news of a price are old. */
const KEPT_S = 600;

/** Makes the site's keys where there are none. */
export async function createPush(options: PushOptions): Promise<Push> {
  const places = new Places(options.db, options.clock);
  return new WebPush(options, places, await places.keys(options.keyring, options.log));
}

class WebPush implements Push {
  private readonly options: PushOptions;
  private readonly places: Places;
  private readonly waiting: Array<{ userId: number; message: PushMessage }> = [];
  private readonly stopping = new AbortController();
  private readonly keys: VapidKeys;
  private sending: Promise<void> | null = null;

  constructor(options: PushOptions, places: Places, keys: VapidKeys) {
    const { auth, log } = options;
    this.options = options;
    this.places = places;
    this.keys = keys;
    // All players at once are asked to sign in again; that is no reason to forget what they kept.
    // A browser that forgets the site forgets its subscription with it.
    auth.useKept((sessionId) => this.places.keeps(sessionId));
    auth.onThrownOut(async (userId) => (userId === undefined ? undefined : this.places.endUser(userId)));
    auth.onEnded((sessionIds, _userId, _reason, elsewhere) => {
      if (elsewhere) return;
      // Where a place is read its session is asked as well.
      this.places
        .endSessions(sessionIds)
        .catch((error: unknown) => log.warn({ err: error }, 'places of push could not be taken away'));
    });
  }

  routes(http: Http): void {
    const { alerts: calls } = CALLS;
    http.route(calls.pushKey, async ({ session: { userId } }) => ({
      key: this.keys.publicKey,
      places: await this.places.count(userId),
    }));
    http.route(calls.subscribe, async ({ session, body: { endpoint, p256dh, auth, keep, language = 'en' } }) => {
      if (!isEndpoint(endpoint, this.options.loopback)) throw new CodedError('BAD_INPUT', { field: 'endpoint' });
      const place = { endpoint, userId: session.userId, p256dh, auth: auth.replace(/=+$/, ''), language };
      await this.places.put(place, session.sessionId, keep && !session.isDemo);
      return { data: null, message: 'This browser is told, also when no page of it is open.' };
    });
    http.route(calls.unsubscribe, async ({ session, body }) => {
      await this.places.remove(session.userId, body.endpoint);
      return { data: null, message: 'This browser is told by open pages alone.' };
    });
  }

  send(messages: ReadonlyArray<{ userId: number; message: PushMessage }>): void {
    const room = Math.max(0, MOST_WAITING - this.waiting.length);
    this.waiting.push(...messages.slice(0, room));
    if (messages.length > room) this.options.log.warn({ left: messages.length - room }, 'too many pushes wait');
    if (this.sending || this.waiting.length === 0) return;
    this.sending = this.sendAll()
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'pushes were not sent'))
      .finally(() => {
        this.sending = null;
      });
  }

  async stop(): Promise<void> {
    this.waiting.length = 0;
    this.stopping.abort();
    await this.sending;
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, AT_ONCE);
      const places = await this.places.ofUsers([...new Set(some.map(({ userId }) => userId))]);
      if (places.length === 0) continue;
      const pushes = some.flatMap(({ userId, message }) =>
        places.filter((place) => place.userId === userId).map((place) => this.sendOne(place, message)),
      );
      await Promise.all(pushes);
    }
  }

  private async sendOne(place: Place, message: PushMessage): Promise<void> {
    const { contact, loopback, log } = this.options;
    // What was taken in by another rule is not sent by this one.
    if (!isEndpoint(place.endpoint, loopback)) return;
    const { host } = new URL(place.endpoint);
    try {
      const { default: library } = await import('web-push');
      const { method, headers, body } = library.generateRequestDetails(
        { endpoint: place.endpoint, keys: { p256dh: place.p256dh, auth: place.auth } },
        JSON.stringify({ ...message, text: wordsIn(place.language)(PUSH_WORDS[message.kind]) }),
        {
          vapidDetails: { subject: contact, ...this.keys },
          TTL: KEPT_S,
          urgency: 'high',
          contentEncoding: 'aes128gcm',
        },
      );
      const status = await this.deliver(place.endpoint, { method, headers }, body!);
      if (status === 404 || status === 410) await this.places.gone(place.endpoint);
      else if (status >= 300) log.warn({ host, status }, 'a push service did not take a push');
    } catch (error) {
      log.warn({ host, err: error }, 'a push service was not reached');
    }
  }

  /** Answers the status; of the answer nothing else is read, and it leads nowhere. */
  private deliver(
    endpoint: string,
    about: { method: string; headers: Record<string, string | number> },
    body: Buffer,
  ): Promise<number> {
    const plain = endpoint.startsWith('http:');
    const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.stopping.signal]);
    return new Promise((resolve, reject) => {
      const ask = plain ? requestPlain : requestSafe;
      const asked = ask(endpoint, { ...about, lookup: publicLookup, signal, agent: false }, (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      });
      asked.on('error', reject);
      asked.end(body);
    });
  }
}
