/**
 * Anchors of the audit log: what its newest record was at a moment, signed, outside the database. Whoever writes the database
 * cannot cut the end of the log off without an anchor telling of it. The newest is rewritten with every record; one a day is
 * kept and logged, for places that the site itself cannot write to (docs/operations.md).
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../db/db.ts';
import type { Keyring } from '../keyring.ts';
import type { Audit, AuditHead } from './audit.ts';

export interface Anchor extends AuditHead {
  /** Milliseconds since 1970. */
  at: number;
  /** Public half of the key that signed, DER in base64: Ed25519. Whoever knows it can check an anchor without the site. */
  key: string;
  signature: string;
}

const NEWEST = 'audit-head.json';
const DAILY = 'audit-anchors.jsonl';
/** In the data folder. */
export const ANCHOR_FILES = [DAILY, NEWEST];
const DAY_MS = 86_400_000;
const TICK_MS = 10 * 60_000;
/** What a private key of Ed25519 begins with in PKCS 8, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Anchors {
  /** Tells whether the newest kept anchor is still in the log, then follows it. */
  start(): Promise<void>;
  /** What the timer does: keeps the anchor of a new day. */
  tick(): Promise<void>;
  stop(): void;
}

export function createAnchors(opts: {
  audit: Audit;
  dataDir: string;
  keyring: Keyring;
  clock: () => number;
  log: Log;
  /** Whether this process does what only one of the site does: the anchor of the day; always where it is left out. */
  isAlone?: () => boolean;
}): Anchors {
  const { audit, dataDir, keyring, clock, log, isAlone = () => true } = opts;
  const [key] = signingKeys(keyring);
  const paths = { newest: join(dataDir, NEWEST), daily: join(dataDir, DAILY) };
  let keptDay = dayOf(readAnchors(paths.daily).at(-1)?.at ?? 0);
  let timer: ReturnType<typeof setInterval> | undefined;

  function anchorOf({ n, hash }: AuditHead): Anchor {
    const at = clock();
    const signature = sign(null, signed({ n, hash, at }), key!).toString('base64');
    return { n, hash, at, key: publicText(key!), signature };
  }

  function writeNewest(head: AuditHead): void {
    try {
      writeFileSync(`${paths.newest}.new`, `${JSON.stringify(anchorOf(head))}\n`, { mode: 0o600 });
      renameSync(`${paths.newest}.new`, paths.newest);
    } catch (error) {
      // The record stands in the database; the next one brings the anchor up to it.
      log.error({ err: error }, 'the anchor of the audit log could not be written');
    }
  }

  async function tick(): Promise<void> {
    if (!isAlone()) return;
    const day = dayOf(clock());
    const head = day === keptDay ? null : await audit.head();
    if (!head) return;
    const anchor = anchorOf(head);
    appendFileSync(paths.daily, `${JSON.stringify(anchor)}\n`, { mode: 0o600 });
    keptDay = day;
    // At a level that a live site logs: the log is where it leaves this machine.
    log.info({ security: 'audit-anchor', anchor }, 'security');
  }

  return {
    async start() {
      const kept = readAnchors(paths.newest).at(-1);
      // The anchor of what is gone stays as it is: it is the proof.
      if (kept && !(await audit.holds(kept)))
        log.error({ anchor: kept, newest: await audit.head() }, 'the end of the audit log is gone, or rewritten');
      else {
        const head = await audit.head();
        if (head) writeNewest(head);
        audit.onRecord(writeNewest);
      }
      await tick();
      timer = setInterval(() => {
        tick().catch((error: unknown) => log.error({ err: error }, 'the anchor of the day could not be kept'));
      }, TICK_MS);
      timer.unref();
    },
    tick,
    stop: () => clearInterval(timer),
  };
}

/** The anchors of a data folder, or of one file with an anchor a line. Throws naming a line that the site did not sign. */
export function keptAnchors(where: { dataDir: string } | { file: string }, keyring: Keyring): Anchor[] {
  const files = 'file' in where ? [where.file] : ANCHOR_FILES.map((name) => join(where.dataDir, name));
  const ours = new Set(signingKeys(keyring).map(publicText));
  return files.flatMap((file) => {
    const anchors = readAnchors(file);
    anchors.forEach((anchor, at) => {
      const { n, hash, key, signature } = anchor;
      const text = signed({ n, hash, at: anchor.at });
      if (!ours.has(key) || !verify(null, text, keyOf(key), Buffer.from(signature, 'base64')))
        throw new Error(`${file}: line ${at + 1} is not signed with a key of this site`);
    });
    return anchors;
  });
}

function readAnchors(path: string): Anchor[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Anchor);
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

const signed = ({ n, hash, at }: Pick<Anchor, 'n' | 'hash' | 'at'>): Buffer =>
  Buffer.from(`fairgame audit anchor ${JSON.stringify([n, hash, at])}`);

const signingKeys = (keyring: Keyring): KeyObject[] =>
  keyring
    .purpose('audit anchor')
    .keys.map((seed) => createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' }));

const publicText = (key: KeyObject): string =>
  createPublicKey(key as never)
    .export({ format: 'der', type: 'spki' })
    .toString('base64');

const keyOf = (text: string): KeyObject =>
  createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
