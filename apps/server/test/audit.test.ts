import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Db, type Query, silent } from '../src/db/db.ts';
import { createKeyring } from '../src/keyring.ts';
import { auditRights, createAnchors, createAudit, keptAnchors, verifyAudit } from '../src/ops/ops.ts';
import { makeDb, type TestDb } from './fixture.ts';

const DAY = 86_400_000;
/** As docs/operations.md gives them, beside the role that stands there already. */
const OWNERS = ['CREATE ROLE fairgame NOLOGIN', ...operationsSql()];
const ring = createKeyring([createHash('sha256').update('one').digest()]);
const other = createKeyring([createHash('sha256').update('two').digest()]);
const rotated = createKeyring([...other.keys, ...ring.keys]);
const money = { actor: 'operator:anna', action: 'credit', object: 'player:102', detail: { amountMinor: 500 } };

let database: TestDb;
let db: Db;
let dataDir: string;
let now = Date.UTC(2026, 6, 1, 12);
const clock = (): number => now;
const errors: string[] = [];
const logged: unknown[] = [];
const log = {
  ...silent,
  error: (_about: unknown, text: string) => void errors.push(text),
  info: (about: unknown) => void logged.push(about),
} as typeof silent;

/** The statements of the page that an administrator runs. */
function operationsSql(): string[] {
  const page = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, sql] = /```sql\n(CREATE ROLE fairgame_keeper[\s\S]*?)```/.exec(page) ?? [];
  return sql!.split('\n').filter(Boolean);
}

/** As whoever has the database in his hands: no trigger stops him. */
const force = (sql: string) =>
  db.tx(async (q) => {
    await q('SET LOCAL session_replication_role = replica');
    await q(sql);
  });
const anchorsWith = (audit: ReturnType<typeof createAudit>, keyring = ring) =>
  createAnchors({ audit, dataDir, keyring, clock, log });
const check = (keyring = ring) => verifyAudit(db, keyring, keptAnchors({ dataDir }, keyring));

beforeAll(async () => {
  database = await makeDb('');
  db = database.db;
  await db.lead();
});
afterAll(() => database.drop());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'fairgame-audit-'));
  errors.length = 0;
  logged.length = 0;
  await force('DELETE FROM audit');
  return () => rmSync(dataDir, { recursive: true });
});

/** Five records that are followed by an anchor. */
async function five() {
  const audit = createAudit(db, clock, ring);
  const anchors = anchorsWith(audit);
  await anchors.start();
  anchors.stop();
  for (let n = 0; n < 5; n++) await audit.record({ ...money, reason: `number ${n}` });
  return audit;
}

describe('[INV-21] the audit log', () => {
  it('finds a record that was changed and all after it made to fit, since the key is not in the database', async () => {
    await five();
    expect(await check()).toEqual({ records: 5, brokenAt: null });
    // As the log was once made: without a key. And as somebody makes it who has another one.
    const rows = await db.query<Record<string, unknown>>('SELECT * FROM audit ORDER BY n');
    for (const forge of ['none', 'other']) {
      await force('DELETE FROM audit');
      const forger = createAudit(db, clock, other);
      let prev = '0'.repeat(64);
      for (const row of rows) {
        const detail = row.n === 2 ? '{"amountMinor":1}' : String(row.detail);
        if (forge === 'other') await forger.record({ ...money, detail: JSON.parse(detail) as unknown });
        else {
          const fields = [row.n, row.at, row.actor, row.action, row.object, row.reason, detail, prev];
          const hash = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
          await db.query('INSERT INTO audit VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [...fields, hash]);
          prev = hash;
        }
      }
      expect([forge, (await check()).brokenAt]).toEqual([forge, forge === 'none' ? 5 : 1]);
    }
  });

  it('finds the newest cut off, stops recording behind a gap, and keeps the proof', async () => {
    const audit = await five();
    await force('DELETE FROM audit WHERE n > 3');
    expect(await check()).toEqual({ records: 3, brokenAt: 4 });
    await expect(audit.record(money)).rejects.toThrow('record 5 is gone');
    // A server that starts on it says so; what it records does not cover the gap up.
    const next = createAudit(db, clock, ring);
    const anchors = anchorsWith(next);
    await anchors.start();
    anchors.stop();
    expect(errors).toEqual(['the end of the audit log is gone, or rewritten']);
    for (let n = 0; n < 3; n++) await next.record(money);
    expect(await check()).toEqual({ records: 4, brokenAt: 5 });
  });

  it('keeps a signed anchor of each day and logs it; one that was changed is refused by its line', async () => {
    const audit = await five();
    const anchors = anchorsWith(audit);
    await anchors.tick();
    await anchors.tick();
    now += DAY;
    await audit.record(money);
    await anchors.tick();
    const file = join(dataDir, 'audit-anchors.jsonl');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual([5, 6]);
    expect(logged).toEqual(lines.map((line) => ({ security: 'audit-anchor', anchor: JSON.parse(line) as unknown })));
    // The exported file alone finds a log that was cut and written on.
    const exported = keptAnchors({ file }, ring);
    await force('DELETE FROM audit WHERE n > 2');
    for (let n = 0; n < 9; n++) await createAudit(db, clock, ring).record(money);
    expect(await verifyAudit(db, ring, [])).toEqual({ records: 11, brokenAt: null });
    expect(await verifyAudit(db, ring, exported)).toEqual({ records: 4, brokenAt: 5 });
    writeFileSync(file, `${lines[0]}\n${lines[1]!.replace('"n":6', '"n":2')}\n`);
    expect(() => keptAnchors({ file }, ring)).toThrow('line 2 is not signed');
    writeFileSync(file, `${lines[0]}\n`);
    expect(() => keptAnchors({ file }, other)).toThrow('line 1 is not signed');
  });

  it('goes on after a change of the secret, and behind records of before it had a key', async () => {
    const fields = [1, now, 'core', 'old', 'x', null, 'null', '0'.repeat(64)];
    const hash = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
    await db.query('INSERT INTO audit VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [...fields, hash]);
    await createAudit(db, clock, ring).record(money);
    await createAudit(db, clock, rotated).record(money);
    expect(await verifyAudit(db, rotated, [])).toEqual({ records: 3, brokenAt: null });
    expect((await verifyAudit(db, ring, [])).brokenAt).toBe(3);
    expect((await verifyAudit(db, other, [])).brokenAt).toBe(2);
    await force("UPDATE audit SET actor = 'nobody' WHERE n = 1");
    expect((await verifyAudit(db, rotated, [])).brokenAt).toBe(1);
  });

  it('processes that record at the same time write one chain, without a gap and nothing lost', async () => {
    const audits = [createAudit(db, clock, ring), createAudit(db, clock, ring), createAudit(db, clock, ring)];
    await Promise.all(
      audits.flatMap((audit, at) =>
        Array.from({ length: 8 }, (_, n) => audit.record({ ...money, reason: `process ${at}, number ${n}` })),
      ),
    );
    const reasons = (await audits[0]!.newest(100)).map(({ reason }) => reason);
    expect(reasons).toHaveLength(24);
    expect(new Set(reasons).size).toBe(24);
    expect(await check()).toEqual({ records: 24, brokenAt: null });
  });

  it('the rights of the server are told: all of an owner, none of one who may read and append only', async () => {
    const rights = await db.tx((q) => auditRights(q));
    expect(rights).toEqual(['superuser', 'owner', 'schema', 'update', 'delete', 'truncate', 'trigger']);
    for (const sql of OWNERS) await db.exec(sql);
    const asSite = <T>(work: (q: Query) => Promise<T>) =>
      db.tx(async (q) => {
        await q('SET LOCAL ROLE fairgame');
        return work(q);
      });
    expect(await asSite((q) => auditRights(q))).toEqual([]);
    await expect(asSite((q) => q('ALTER TABLE audit DISABLE TRIGGER ALL'))).rejects.toThrow(/must be owner/);
    await expect(asSite((q) => q('DELETE FROM audit'))).rejects.toThrow(/permission denied/);
    await expect(asSite((q) => q('DROP TABLE audit'))).rejects.toThrow(/must be owner/);
    await asSite((q) => q("INSERT INTO audit VALUES (1, 1, 'a', 'b', 'c', null, 'null', 'x', 'y')"));
    await db.exec('GRANT UPDATE ON audit TO fairgame');
    expect(await asSite((q) => auditRights(q))).toEqual(['update']);
  });
});
