/** Who is behind the site, what each may do, and what needs two of them. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AnyCall,
  allCalls,
  CALLS,
  OPERATOR_CALLS,
  RIGHTS_OF,
  ROLES,
  type Role,
  rightsOf,
} from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appCode } from '../src/auth/auth.ts';
import { demoPeopleLines, type KnownPerson, PEOPLE_FILE } from '../src/operator/operator.ts';
import { makeServer, newKey, PASSWORD, type TestServer } from './server.ts';

const { protection } = CALLS;
const operator = OPERATOR_CALLS;
const HOUR = 3_600_000;
const reason = 'a test of it';
let server: TestServer;
let chief: string;
beforeAll(async () => {
  server = await makeServer();
  chief = await server.operator();
  await server.person('second', ROLES);
});
afterAll(() => server?.close());

const balanceOf = (userId: number) => server.app.core.read.wallet('real', userId).balanceMinor;
const credit = (token: string, userName: string, amountMinor: number, more: object = {}) =>
  server.call(operator.credit, { body: { key: newKey(), userName, amountMinor, reason, ...more } }, { token });
const audited = async (action: string) =>
  server.app.db.query<{ actor: string; object: string; detail: string }>(
    'SELECT actor, object, detail FROM audit WHERE action = $1 ORDER BY n',
    [action],
  );
const requestOf = async (token: string, id: number | null) =>
  server.call(operator.request, { params: { id: String(id) } }, { token });
const approve = async (token: string, id: number | null) => {
  const { seen } = (await requestOf(token, id)).data;
  return server.call(operator.approve, { body: { id: id!, seen } }, { token });
};

describe('rights', () => {
  it('every operator call names the right it needs', () => {
    const calls: AnyCall[] = allCalls().filter(({ who }) => who === 'operator');
    expect(calls.filter(({ right }) => right === undefined).map(({ name }) => name)).toEqual([]);
    // What moves money or results asks for a fresh proof, and for a key.
    for (const { name, right, proof, keyed, method } of calls)
      if (right === 'money') expect([name, proof, keyed, method]).toEqual([name, true, true, 'POST']);
  });

  it('each role may make the calls of its rights and no others', async () => {
    const calls = allCalls().filter(({ who, right }) => who === 'operator' && right !== 'any' && right !== 'entering');
    for (const role of ROLES) {
      const token = await server.person(`only.${role}`, [role]);
      const mine = rightsOf([role]);
      const answers = await Promise.all(
        calls.map(async (call) => {
          // Nothing in it fits: whoever may call is told so, before anything happens.
          const parts = {
            params: { userName: '!', id: '!' },
            query: { nothing: '!' },
            ...(call.method === 'POST' ? { body: { nothing: 1 } } : {}),
          };
          const { error } = await server.call(call, parts as never, { token });
          return [call.name, error?.code === 'RIGHT_MISSING' ? 'refused' : 'may'];
        }),
      );
      expect(answers).toEqual(calls.map(({ name, right }) => [name, mine.has(right as never) ? 'may' : 'refused']));
    }
  });

  it('no role has both money and results, prices and money, or people and money', () => {
    const together: Array<[string, string]> = [
      ['money', 'results'],
      ['money', 'markets'],
      ['money', 'people'],
      ['results', 'markets'],
      ['protection', 'markets'],
    ];
    for (const role of ROLES)
      for (const [one, other] of together)
        expect([role, RIGHTS_OF[role].includes(one as never) && RIGHTS_OF[role].includes(other as never)]).toEqual([
          role,
          false,
        ]);
  });

  it('who may make players but not move money cannot give a first credit', async () => {
    const support = await server.person('sue', ['support']);
    const make = (token: string, userName: string, creditMinor?: number) =>
      server.call(operator.createPlayer, { body: { userName, ...(creditMinor ? { creditMinor } : {}) } }, { token });
    expect((await make(support, 'by.sue')).status).toBe(200);
    expect((await make(support, 'by.sue2', 100)).error?.code).toBe('RIGHT_MISSING');
    expect((await make(chief, 'by.chief', 100_001)).error).toMatchObject({
      code: 'AMOUNT_INVALID',
      field: 'creditMinor',
    });
  });

  it('a look at a player stands in the audit log', async () => {
    const { userName } = await server.player('looked.at');
    await server.call(operator.player, { params: { userName } }, { token: await server.person('sue', ['support']) });
    expect((await audited('player.look')).at(-1)).toMatchObject({ actor: 'operator:sue', object: 'player:looked.at' });
  });

  it('a person who is shut out is out at once', async () => {
    const token = await server.person('shortly', ['content']);
    const body = { key: newKey(), userName: 'shortly', active: false, reason };
    await server.call(operator.setPerson, { body }, { token: await server.operator() });
    expect((await server.call(operator.me, {}, { token })).status).toBe(401);
    expect((await server.call(operator.marquee, { body: { value: 'x' } }, { token })).status).toBe(401);
    server.clock.advance(60_000);
    await expect(server.person('shortly', ['content'], true)).resolves.toBeTypeOf('string');
    const again = await server.person('shortly', ['content']);
    expect((await server.call(operator.me, {}, { token: again })).error?.code).toBe('NOT_ALLOWED');
  });
});

describe('sign-in', () => {
  it('needs the code of the authenticator, each code once', async () => {
    await server.person('twice', ['content']);
    server.clock.advance(60_000);
    const login = (code?: string, password = PASSWORD) =>
      server.call(operator.login, { body: { userName: 'twice', password, ...(code ? { code } : {}) } });
    expect((await login()).error).toMatchObject({ code: 'CODE_REQUIRED', field: 'code' });
    expect((await login('000000', 'not the password')).error?.code).toBe('LOGIN_FAILED');
    const code = server.codeOf('twice');
    const both = await Promise.all([login(code), login(code)]);
    expect(both.map(({ error }) => error?.code ?? 'in').sort()).toEqual(['CODE_WRONG', 'in']);
    expect((await login(code)).error?.code).toBe('CODE_WRONG');
    server.clock.advance(60_000);
    const wrong = server.codeOf('twice') === '123456' ? '654321' : '123456';
    for (let n = 0; n < 3; n++) expect((await login(wrong)).error?.code).toBe('CODE_WRONG');
    expect((await login(wrong)).error?.code).toBe('CODE_TRIES');
    expect((await login(server.codeOf('twice'))).error?.code).toBe('CODE_TRIES');
    server.clock.advance(15 * 60_000);
    expect((await login(server.codeOf('twice'))).status).toBe(200);
  });

  it('without an authenticator is good for setting one up and for nothing else', async () => {
    const token = await server.operator();
    const { password } = (await server.call(operator.addPerson, { body: { userName: 'newcomer', reason } }, { token }))
      .data;
    const entered = (await server.call(operator.login, { body: { userName: 'newcomer', password } })).data;
    expect(entered.enrol).toBe(true);
    const own = { token: entered.token };
    expect((await server.call(operator.me, {}, own)).error?.code).toBe('FACTOR_REQUIRED');
    expect((await server.call(operator.confirm, { body: { code: '123456' } }, own)).error?.code).toBe('CODE_EXPIRED');
    const { secret } = (await server.call(operator.enrol, { body: {} }, own)).data;
    const code = () => appCode(secret, Math.floor(server.clock.now / 30_000));
    const confirm = (body: { code: string; newPassword?: string }) => server.call(operator.confirm, { body }, own);
    expect((await confirm({ code: code() })).error).toMatchObject({ code: 'PASSWORD_SHORT', field: 'newPassword' });
    expect((await confirm({ code: code(), newPassword: password })).error?.code).toBe('PASSWORD_SAME');
    const done = await confirm({ code: code(), newPassword: 'a-kettle-of-violets-81' });
    expect(done.data.recoveryCodes).toHaveLength(10);
    expect((await server.call(operator.me, {}, own)).status).toBe(401);
    expect((await server.call(operator.me, {}, { token: done.data.token })).data).toMatchObject({
      roles: [],
      rights: [],
    });
    // The first code counted; a recovery code signs in, once.
    const login = (by: string) =>
      server.call(operator.login, { body: { userName: 'newcomer', password: 'a-kettle-of-violets-81', code: by } });
    expect((await login(code())).error?.code).toBe('CODE_WRONG');
    expect((await login(done.data.recoveryCodes[0]!)).status).toBe(200);
    expect((await login(done.data.recoveryCodes[0]!)).error?.code).toBe('CODE_WRONG');
  });

  it('lasts twelve hours, and half an hour idle', async () => {
    const idle = await server.person('idle', ['content'], true);
    server.clock.advance(30 * 60_000 - 1);
    expect((await server.call(operator.me, {}, { token: idle })).status).toBe(200);
    server.clock.advance(30 * 60_000);
    expect((await server.call(operator.me, {}, { token: idle })).status).toBe(401);
    const busy = await server.person('busy', ['content'], true);
    for (let minutes = 20; minutes < 12 * 60; minutes += 20) {
      server.clock.advance(20 * 60_000);
      expect([minutes, (await server.call(operator.me, {}, { token: busy })).status]).toEqual([minutes, 200]);
    }
    server.clock.advance(20 * 60_000);
    expect((await server.call(operator.me, {}, { token: busy })).status).toBe(401);
  });

  it('is proved again, with password and code, before money and results move after a quarter of an hour', async () => {
    const { userName, userId } = await server.player('proved', 0);
    const token = await server.person('paula', ['payments'], true);
    expect((await credit(token, userName, 100)).status).toBe(200);
    server.clock.advance(15 * 60_000 + 1);
    expect((await credit(token, userName, 100)).error?.code).toBe('PROOF_REQUIRED');
    expect((await server.call(CALLS.provider.openRounds, { query: {} }, { token })).status).toBe(200);
    const prove = (password: string, code: string) =>
      server.call(operator.prove, { body: { password, code } }, { token });
    expect((await prove('something else', server.codeOf('paula'))).error?.code).toBe('PASSWORD_WRONG');
    const wrong = server.codeOf('paula') === '123456' ? '654321' : '123456';
    expect((await prove(PASSWORD, wrong)).error?.code).toBe('CODE_WRONG');
    expect((await credit(token, userName, 100)).error?.code).toBe('PROOF_REQUIRED');
    expect((await prove(PASSWORD, server.codeOf('paula'))).status).toBe(200);
    expect((await credit(token, userName, 100)).status).toBe(200);
    expect(balanceOf(userId)).toBe(200);
  });
});

describe('the first people', () => {
  it('of a live site is one with every role, who sets up an authenticator; one who lost it is let in by a setting', async () => {
    const one = await makeServer();
    try {
      const first = { userName: 'first', password: 'lantern-quarry-9-moth' };
      const live = { ...one.config, profile: 'production' as const, operator: first };
      await one.app.operator.people.begin(live);
      const login = async (code?: string) =>
        (await one.call(operator.login, { body: { ...first, ...(code ? { code } : {}) } })).error?.code ?? 'in';
      const { token, enrol } = (await one.call(operator.login, { body: first })).data;
      expect(enrol).toBe(true);
      const { secret } = (await one.call(operator.enrol, { body: {} }, { token })).data;
      const code = appCode(secret, Math.floor(one.clock.now / 30_000));
      const { data } = await one.call(operator.confirm, { body: { code } }, { token });
      expect((await one.call(operator.me, {}, { token: data.token })).data.roles).toEqual([...ROLES]);
      // A start changes nothing; a start with the setting takes the authenticator away, and says so in the log.
      await one.app.operator.people.begin(live);
      expect(await login()).toBe('CODE_REQUIRED');
      await one.app.operator.people.begin({ ...live, operatorReset: true });
      expect(await login()).toBe('in');
      const rows = await one.app.db.query("SELECT object FROM audit WHERE action = 'factor.off'");
      expect(rows).toEqual([{ object: 'person:first' }]);
    } finally {
      await one.close();
    }
  });

  it('of a local site are one a role, who can sign in with what the data folder keeps', async () => {
    const one = await makeServer();
    try {
      const local = { ...one.config, demoPlayers: true };
      await one.app.operator.people.begin(local);
      const file = join(one.config.dataDir, PEOPLE_FILE);
      const read = () => JSON.parse(readFileSync(file, 'utf8')) as KnownPerson[];
      expect(statSync(file).mode & 0o077).toBe(0);
      const people = read();
      expect(people.map(({ roles }) => (roles.length === 1 ? roles[0] : 'all'))).toEqual(['all', ...ROLES]);
      expect(demoPeopleLines(local, one.clock.now)).toHaveLength(ROLES.length);
      for (const { userName, password, secret, roles } of people) {
        const code = appCode(secret, Math.floor(one.clock.now / 30_000));
        const { data } = await one.call(operator.login, { body: { userName, password, code } });
        expect((await one.call(operator.me, {}, { token: data.token })).data.roles).toEqual(roles);
      }
      await one.app.operator.people.begin(local);
      expect(read()).toEqual(people);
    } finally {
      await one.close();
    }
  });
});

describe('two people', () => {
  it('a credit above the limit waits for a second person, who sees what it does and cannot be the first', async () => {
    const first = await server.person('pay.one', ['payments'], true);
    const second = await server.person('pay.two', ['payments'], true);
    const { userName, userId } = await server.player('rich', 5000);
    const key = newKey();
    const asked = await credit(first, userName, 200_000, { key });
    expect(asked.data).toMatchObject({ request: expect.any(Number) });
    expect(balanceOf(userId)).toBe(5000);
    // The same line again is the same request, another line under the key is none.
    expect((await credit(first, userName, 200_000, { key })).data.request).toBe(asked.data.request);
    expect((await credit(first, userName, 300_000, { key })).error?.code).toBe('KEY_REUSED');
    const { request } = asked.data;
    expect((await approve(first, request)).error?.code).toBe('SAME_PERSON');
    const settler = await server.person('seth', ['settler'], true);
    expect((await requestOf(settler, request)).error?.code).toBe('RIGHT_MISSING');
    const look = (await requestOf(second, request)).data;
    expect(look.effect).toEqual([
      { what: 'deposit for rich', before: '', after: '2000.00 EUR' },
      { what: 'State of the account', before: 'active', after: 'active' },
      { what: 'Balance', before: '50.00 EUR', after: '2050.00 EUR' },
      { what: 'Available', before: '50.00 EUR', after: '2050.00 EUR' },
    ]);
    const agree = (seen: string) => server.call(operator.approve, { body: { id: request!, seen } }, { token: second });
    expect((await agree('0000000000000000')).error?.code).toBe('EFFECT_CHANGED');
    const both = await Promise.all([agree(look.seen), agree(look.seen)]);
    expect(both.some(({ status }) => status === 200)).toBe(true);
    expect(balanceOf(userId)).toBe(205_000);
    expect((await agree(look.seen)).error?.code).toBe('REQUEST_OVER');
    expect(balanceOf(userId)).toBe(205_000);
    const [record] = (await audited('credit')).filter(({ detail }) => detail.includes(`"request":${request}`));
    expect(record).toMatchObject({ actor: 'operator:pay.one', object: 'player:rich' });
    expect(record!.detail).toContain('"agreedBy":"operator:pay.two"');
  });

  it('many small credits of one person in a day are a large one', async () => {
    const token = await server.person('pay.small', ['payments'], true);
    const { userName, userId } = await server.player('drops', 0);
    for (let n = 0; n < 4; n++) expect((await credit(token, userName, 25_000)).data.request).toBeNull();
    expect((await credit(token, userName, 1)).data.request).toEqual(expect.any(Number));
    expect((await credit(token, userName, -1)).data.request).toEqual(expect.any(Number));
    expect(balanceOf(userId)).toBe(100_000);
    server.clock.advance(24 * HOUR + 1);
    const later = await server.person('pay.small', ['payments'], true);
    expect((await credit(later, userName, 1)).data.request).toBeNull();
  });

  it('a key says nothing of the next request under it, and of many at once not each is the first', async () => {
    const token = await server.person('pay.sly', ['payments', 'support'], true);
    const { userName, userId } = await server.player('sly', 0);
    // Refused before its key is used: neither the key nor the sum is there for something larger.
    const key = newKey();
    const wrong = { kind: 'deposit' as const, key };
    expect((await credit(token, userName, -1, wrong)).error?.code).toBe('AMOUNT_INVALID');
    expect((await credit(token, userName, 5_000_000, { key })).data.request).toEqual(expect.any(Number));
    expect(balanceOf(userId)).toBe(0);
    const made = (userName: string, creditMinor: number, password: string) =>
      server.call(operator.createPlayer, { body: { userName, password, currency: 'EUR', creditMinor } }, { token });
    expect((await made('sly.two', 1, 'short')).status).toBe(400);
    expect((await made('sly.two', 99_998, PASSWORD)).status).toBe(200);
    expect((await credit(token, userName, 2)).data.request).toEqual(expect.any(Number));
    const other = await server.person('pay.quick', ['payments'], true);
    const many = await Promise.all([1, 2, 3, 4].map(() => credit(other, userName, 60_000)));
    expect(many.filter(({ data }) => data.request === null).length).toBeLessThanOrEqual(1);
    expect(balanceOf(userId)).toBeLessThanOrEqual(60_000);
  });

  it('what changed meanwhile has to be looked at again; what can no longer be done fails and is over', async () => {
    const first = await server.person('pay.one', ['payments'], true);
    const second = await server.person('pay.two', ['payments'], true);
    const { userName, userId } = await server.player('changing', 500_000);
    const { request } = (await credit(first, userName, -400_000)).data;
    const { seen } = (await requestOf(second, request)).data;
    await server.app.auth.setState(userId, 'frozen');
    const agree = (by: string) =>
      server.call(operator.approve, { body: { id: request!, seen: by } }, { token: second });
    expect((await agree(seen)).error?.code).toBe('EFFECT_CHANGED');
    await server.app.core.submit({
      world: 'real',
      actor: 'test',
      command: { type: 'account.transfer', accountId: userId, amountMinor: -300_000, reason: 'withdrawal', text: 'x' },
    });
    expect((await approve(second, request)).error?.code).toBe('INSUFFICIENT_FUNDS');
    expect((await requestOf(second, request)).data.row).toMatchObject({
      state: 'FAILED',
      outcome: 'INSUFFICIENT_FUNDS',
    });
  });

  it('a request is refused by the second, withdrawn by the first, and expires after a day', async () => {
    const first = await server.person('pay.one', ['payments'], true);
    const second = await server.person('pay.two', ['payments'], true);
    const { userName, userId } = await server.player('waiting', 0);
    const ask = async () => (await credit(first, userName, 200_000)).data.request;
    const [refused, withdrawn, old] = [await ask(), await ask(), await ask()];
    const refuse = (token: string, id: number | null) =>
      server.call(operator.refuse, { body: { id: id!, reason: 'not this one' } }, { token });
    expect((await refuse(second, refused)).status).toBe(200);
    expect((await refuse(first, withdrawn)).status).toBe(200);
    expect((await approve(second, refused)).error?.code).toBe('REQUEST_OVER');
    const gone = await server.person('pay.gone', ['payments'], true);
    const ofGone = (await credit(gone, userName, 200_000)).data.request;
    const shut = { key: newKey(), userName: 'pay.gone', active: false, reason };
    await server.call(operator.setPerson, { body: shut }, { token: await server.operator(true) });
    expect((await approve(second, ofGone)).error?.code).toBe('REQUEST_OVER');
    const listed = (await server.call(operator.requests, {}, { token: second })).data;
    expect(listed.find(({ id }) => id === old)).toMatchObject({ state: 'OPEN', mayDecide: true });
    server.clock.advance(24 * HOUR);
    const later = await server.person('pay.two', ['payments'], true);
    expect((await approve(later, old)).error?.code).toBe('REQUEST_OVER');
    const rows = (await server.call(operator.requests, {}, { token: later })).data;
    expect([refused, withdrawn, old].map((id) => rows.find((row) => row.id === id)!.state)).toEqual([
      'REFUSED',
      'WITHDRAWN',
      'EXPIRED',
    ]);
    expect(balanceOf(userId)).toBe(0);
  });

  it('roles, letting in and resetting a person, too; shutting out is done at once', async () => {
    const token = await server.operator(true);
    const set = (userName: string, roles: Role[]) =>
      server.call(operator.setRoles, { body: { key: newKey(), userName, roles, reason } }, { token });
    const { request } = (await set('chief', ['admin'])).data;
    expect((await requestOf(await server.person('second', ROLES, true), request)).data.effect[0]).toEqual({
      what: 'Roles of chief',
      before: ROLES.join(', '),
      after: 'admin',
    });
    expect((await approve(token, request)).error?.code).toBe('SAME_PERSON');
    expect((await set('nobody.there', ['admin'])).data?.request).toEqual(expect.any(Number));
    const one = await makeServer();
    try {
      // One person alone may give the first roles, and may not leave the site without anybody who can.
      const alone = await one.operator();
      const make = { userName: 'other', reason };
      await one.call(operator.addPerson, { body: make }, { token: alone });
      const roles = (userName: string, list: Role[]) =>
        one.call(operator.setRoles, { body: { key: newKey(), userName, roles: list, reason } }, { token: alone });
      expect((await roles('chief', ['trader'])).error?.code).toBe('LAST_ADMIN');
      expect((await roles('other', ['admin'])).data).toEqual({ request: null });
      expect((await roles('other', ['admin', 'payments'])).data.request).toEqual(expect.any(Number));
      const shut = { key: newKey(), userName: 'other', active: false, reason };
      expect((await one.call(operator.setPerson, { body: shut }, { token: alone })).data).toEqual({ request: null });
      // Shut out, the other still counts: nobody becomes the only one by shutting out.
      expect((await roles('chief', ['admin', 'payments'])).data.request).toEqual(expect.any(Number));
    } finally {
      await one.close();
    }
  });
});

describe('players who excluded themselves', () => {
  it('get no money by any name, and no other country ends an exclusion', async () => {
    const token = await server.operator(true);
    const player = await server.player('excluded', 1000);
    const set = (body: object) =>
      server.call(protection.operatorSettings, { body: { userName: 'excluded', reason, ...body } }, { token });
    expect((await set({ jurisdiction: 'GB' })).status).toBe(200);
    expect((await credit(token, 'excluded', 100, { kind: 'creditReference' })).error?.code).toBe('STATE_NOT_FITTING');
    await server.call(protection.selfExclude, { body: { months: 6 } }, { token: player.token });
    for (const kind of ['deposit', 'correction', 'creditReference'])
      expect([kind, (await credit(token, 'excluded', 100, { kind })).error?.code]).toEqual([kind, 'ACCOUNT_BLOCKED']);
    expect((await credit(token, 'excluded', -100)).status).toBe(200);
    expect(balanceOf(player.userId)).toBe(900);
    // In GB an exclusion stays until the player acts; elsewhere it would end by itself.
    expect((await set({ jurisdiction: 'INT' })).error).toMatchObject({
      code: 'RESTRICTION_RUNS',
      field: 'jurisdiction',
    });
    server.clock.advance(300 * 24 * HOUR);
    const later = await server.operator(true);
    const again = { userName: 'excluded', reason, jurisdiction: 'INT' as const };
    expect((await server.call(protection.operatorSettings, { body: again }, { token: later })).error?.code).toBe(
      'RESTRICTION_RUNS',
    );
    const { data } = await server.call(CALLS.auth.login, { body: { userName: 'excluded', password: PASSWORD } });
    expect(data.standing).toMatchObject({ state: 'self-excluded' });
  });

  it('[DEP] credit counts to the deposit limit, a correction does not', async () => {
    const token = await server.operator(true);
    const player = await server.player('limited', 0);
    const body = { kind: 'deposit' as const, span: 'day' as const, amountMinor: 1000 };
    await server.call(protection.setLimit, { body }, { token: player.token });
    expect((await credit(token, 'limited', 600, { kind: 'creditReference' })).status).toBe(200);
    expect((await credit(token, 'limited', 600)).error?.code).toBe('DEPOSIT_LIMIT');
    expect((await credit(token, 'limited', 600, { kind: 'correction' })).status).toBe(200);
    expect((await credit(token, 'limited', 400)).status).toBe(200);
  });
});
