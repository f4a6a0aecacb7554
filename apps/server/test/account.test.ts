import { between, CALLS, OPERATOR_CALLS } from '@fairgame/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readButtons } from '../src/account/buttons.ts';
import { makeServer, newKey, PASSWORD, type TestServer } from './server.ts';

const { account, provider, auth } = CALLS;
let server: TestServer;
let token: string;
let userId: number;
beforeAll(async () => {
  server = await makeServer({ FAIRGAME_SUPPORT: 'Write to help@fairgame.example' });
  ({ token, userId } = await server.player('anna', 250_000));
});
afterAll(() => server?.close());

/** How a string of a PDF writes what it may not have. */
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

describe('profile', () => {
  it('[API-52] [ENT-01] [ENT-02] [ENT-03] [OPN-53] [OPN-57] carries name, balance, marquee and both button maps', async () => {
    const { data } = await server.call(account.profile, {}, { token });
    expect(data).toMatchObject({
      id: userId,
      userName: 'anna',
      role: 'user',
      isDemo: false,
      status: 'active',
      currency: 'EUR',
      userBal: { currentBalance: 250_000, exposure: 0, profitLoss: 0 },
      openBets: 0,
      supportText: 'Write to help@fairgame.example',
    });
    expect(data.marqueeNotification.value).toContain('fairGame');
    expect(JSON.parse(data.buttonValues.value)).toEqual({
      '5': 5,
      '10': 10,
      '25': 25,
      '50': 50,
      '100': 100,
      '250': 250,
      '500': 500,
      '1k': 1000,
    });
    expect(data.buttonValues2.id).not.toBe(data.buttonValues.id);
  });

  it('says when the visit began: it goes on over sessions', async () => {
    const player = await server.player('vera');
    const began = async (signedIn: string) =>
      (await server.call(account.profile, {}, { token: signedIn })).data.visitStartedAt;
    const first = await began(player.token);
    expect(Math.abs(Date.parse(first) - server.clock.now)).toBeLessThan(60_000);
    server.clock.advance(10 * 60_000);
    const again = await server.call(auth.login, { body: { userName: 'vera', password: PASSWORD } });
    expect(await began(again.data.token)).toBe(first);
  });

  it('the version of the balance rises with each change', async () => {
    const before = (await server.call(account.profile, {}, { token })).data.userBal;
    const operator = await server.operator();
    await server.call(
      OPERATOR_CALLS.credit,
      { body: { key: newKey(), userName: 'anna', amountMinor: 5, reason: 'test' } },
      { token: operator },
    );
    const after = (await server.call(account.profile, {}, { token })).data.userBal;
    expect(after.currentBalance).toBe(before.currentBalance + 5);
    expect(after.version).toBeGreaterThan(before.version);
  });
});

describe('language', () => {
  it('is kept with the account as chosen last, and is one of the client’s', async () => {
    const told = async () => (await server.call(account.profile, {}, { token })).data.language;
    expect(await told()).toBe(null);
    for (const language of ['hi', 'pt-BR'] as const) {
      expect((await server.call(account.saveLanguage, { body: { language } }, { token })).data).toEqual({ language });
      expect(await told()).toBe(language);
    }
    const refused = await server.call(account.saveLanguage, { body: { language: 'en-XA' as never } }, { token });
    expect(refused.error).toMatchObject({ code: 'BAD_INPUT', field: 'language' });
    expect(await told()).toBe('pt-BR');
  });
});

describe('time zone', () => {
  it('is kept with the account in its one spelling until it is taken back, and is one that there is', async () => {
    const told = async () => (await server.call(account.profile, {}, { token })).data.timeZone;
    const save = (timeZone: string | null) => server.call(account.saveTimeZone, { body: { timeZone } }, { token });
    expect(await told()).toBe(null);
    expect((await save('europe/berlin')).data).toEqual({ timeZone: 'Europe/Berlin' });
    for (const wrong of ['Moon', '', "UTC'--"])
      expect((await save(wrong)).error).toMatchObject({ code: 'BAD_INPUT', field: 'timeZone' });
    expect(await told()).toBe('Europe/Berlin');
    expect((await save(null)).data).toEqual({ timeZone: null });
  });
});

describe('stake buttons', () => {
  it('[OPN-53] [API-53] [API-54] are saved and read back by kind, in their order', async () => {
    const value = '{"1k":1000,"5":5,"max":100000000}';
    const saved = await server.call(account.saveButtons, { body: { type: 'Casino', value } }, { token });
    expect(saved.data).toEqual({ id: 2, type: 'Casino', value });
    expect(saved.message).toBeTruthy();
    expect((await server.call(account.buttons, { query: { type: 'Casino' } }, { token })).data).toEqual([saved.data]);
    expect((await server.call(account.buttons, { query: { type: 'Match' } }, { token })).data[0]!.value).toContain(
      '"1k":1000',
    );
    const profile = await server.call(account.profile, {}, { token });
    expect(profile.data.buttonValues2.value).toBe(value);
    const wrongId = await server.call(account.saveButtons, { body: { id: 1, type: 'Casino', value } }, { token });
    expect(wrongId.error).toMatchObject({ code: 'BAD_INPUT', field: 'id' });
  });

  it.each([
    ['{}', 'no pair'],
    ['', 'no JSON'],
    ['[]', 'a list'],
    ['{"a":1,}', 'a comma too many'],
    ['{"a":1} x', 'more behind it'],
    ['{"":1}', 'no label'],
    ['{"   ":1}', 'a blank label'],
    ['{"elevenchars":1}', 'a long label'],
    ['{"a":0}', 'zero'],
    ['{"a":-5}', 'less than nothing'],
    ['{"a":1.5}', 'no whole number'],
    ['{"a":1e3}', 'an exponent'],
    ['{"a":100000001}', 'too much'],
    ['{"a":"5"}', 'text'],
    ['{"a":null}', 'nothing'],
    ['{"a":{"b":1}}', 'depth'],
    ['{"__proto__":5}', 'a prototype'],
    ['{"a\\u0000":5}', 'a control character'],
    ['{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6,"7":7,"8":8,"9":9}', 'nine pairs'],
  ])('[OPN-19] [SEC-Z5] %s is refused: %s', async (value) => {
    const before = (await server.call(account.buttons, { query: { type: 'Match' } }, { token })).data;
    const told = await server.call(account.saveButtons, { body: { type: 'Match', value } }, { token });
    expect(told.error).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', field: 'value' });
    expect((await server.call(account.buttons, { query: { type: 'Match' } }, { token })).data).toEqual(before);
  });

  it('[CAR-31] two equal labels are refused, also when they only look different', async () => {
    for (const value of ['{"a":1,"a":2}', '{"a":1," a ":2}', '{"a":1,"\\u0061":2}']) {
      const told = await server.call(account.saveButtons, { body: { type: 'Match', value } }, { token });
      expect(told.error).toMatchObject({ statusCode: 400, code: 'BUTTON_LABEL_TWICE', field: 'value' });
    }
  });

  it('[OPN-19] the bounds themselves are taken', () => {
    expect(readButtons('{"a":1}')).toBe('{"a":1}');
    expect(readButtons(' { "tenletters" : 100000000 } ')).toBe('{"tenletters":100000000}');
    expect(readButtons('{"💯":100,"\\"q\\"":2}')).toBe('{"💯":100,"\\"q\\"":2}');
  });
});

describe('texts and favourites', () => {
  it('[API-51] [OPN-36] the marquee and banners are what the operator set, as text', async () => {
    const operator = await server.operator();
    const set = OPERATOR_CALLS.marquee;
    await server.call(set, { body: { value: 'Final tonight <b>20:00</b>' } }, { token: operator });
    await server.call(set, { body: { value: 'Banner two', type: 'banner2' } }, { token: operator });
    expect((await server.call(account.marquee, {}, { token })).data).toEqual({
      value: 'Final tonight <b>20:00</b>',
      type: '',
    });
    expect((await server.call(account.marquee, { query: { type: 'banner2' } }, { token })).data).toEqual({
      value: 'Banner two',
      type: 'banner2',
    });
    expect((await server.call(account.marquee, { query: { type: 'banner3' } }, { token })).data.value).toBe('');
    expect((await server.call(account.profile, {}, { token })).data.marqueeNotification.value).toBe(
      'Final tonight <b>20:00</b>',
    );
    expect((await server.call(account.marquee, { query: { type: 'x' } as never }, { token })).status).toBe(400);
  });

  it.each([
    ['RTX-01', 'Cricket', 'within 7 days'],
    ['RTX-02', 'Cricket', 'penalty of 2X, where they are ground bets'],
    ['RTX-02', 'Cricket', 'penalty of 2X, where they are group bets'],
    ['RTX-02', 'Cricket', 'penalty of 2X, where they are punching bets'],
    [
      'RTX-03',
      'Cricket',
      'ODI that is cut short is decided, for markets that compare the teams, by the score after 25 overs',
    ],
    [
      'RTX-04',
      'Cricket',
      'T20 that is cut short is decided, for markets that compare the teams, by the score after 10 overs',
    ],
    ['RTX-05', 'Cricket', 'minimum of 25 overs'],
    ['RTX-06', 'Cricket', '1st day total of a Test needs 80 overs'],
    ['RTX-07', 'Cricket', 'lambi (total) of a Test innings needs 70 overs'],
    ['RTX-08', 'Cricket', 'fancies of a Test need 300 overs'],
    ['RTX-09', 'Cricket', 'averages for abandoned matches'],
    ['RTX-10', 'Cricket', '45 fours, 11 sixes and 15 wickets'],
    ['RTX-11', 'Football', 'within 48 hours'],
    ['RTX-12', 'Motor Sports', 'concludes within 72 hours'],
    ['RTX-13', 'Basketball', '5 minutes or less must be left'],
    ['RTX-14', 'General', 'delay of 5 seconds'],
    ['CAR-53', 'General', 'within 6 months'],
  ])('[%s] [OPN-54] the rules of %s say "%s"', async (_id, sport, text) => {
    const { data } = await server.call(account.rules, {}, { token });
    const rules = data.find((one) => one.sportName === sport)!.rules;
    const lines = rules.flatMap((one) => one.description.map((line) => line.text));
    expect(lines.some((line) => line.includes(text))).toBe(true);
  });

  it('[OPN-54] the categories of the specification are there, every line is a sentence with one of three colours', async () => {
    const { data } = await server.call(account.rules, {}, { token });
    const categories = new Set(data.flatMap((sport) => sport.rules.map((rule) => rule.category)));
    for (const name of ['Bookmaker', 'Fancy', 'Match', 'General', 'khado', 'fancy1'])
      expect(categories).toContain(name);
    for (const line of data.flatMap((sport) => sport.rules.flatMap((rule) => rule.description)))
      expect(line.text).toMatch(/^[A-Z0-9].*\.$/);
  });

  it('the rules of a sport are replaced by the operator', async () => {
    const operator = await server.operator();
    const rules = [{ category: 'Match', description: [{ text: 'Ask us.', color: 'red' as const }] }];
    await server.call(OPERATOR_CALLS.rules, { body: { sportName: 'Tennis', rules } }, { token: operator });
    await server.call(OPERATOR_CALLS.rules, { body: { sportName: 'Curling', rules } }, { token: operator });
    const { data } = await server.call(account.rules, {}, { token });
    expect(data.find((sport) => sport.sportName === 'Tennis')!.rules).toEqual(rules);
    expect(data.find((sport) => sport.sportName === 'Curling')!.rules).toEqual(rules);
  });

  it('favourites are kept per player', async () => {
    await server.call(account.saveFavourites, { body: { matchIds: [5, 7, 5], tables: ['teen20'] } }, { token });
    expect((await server.call(account.favourites, {}, { token })).data).toEqual({
      matchIds: [5, 7],
      tables: ['teen20'],
    });
    const other = await server.player();
    expect((await server.call(account.favourites, {}, { token: other.token })).data).toEqual({
      matchIds: [],
      tables: [],
    });
  });

  it('stake templates are kept whole with the account, and refused by their field', async () => {
    const { token } = await server.player();
    const told = async (of = token) => (await server.call(account.profile, {}, { token: of })).data.stakeTemplates;
    const save = (...templates: unknown[]) =>
      server.call(account.saveTemplates, { body: { templates: templates as never } }, { token });
    expect(await told()).toEqual([]);
    const tenth = { label: '10 %', kind: 'percent' as const, value: 10 };
    const risk = { label: 'Risk 20', kind: 'liability' as const, value: 20 };
    const win = { label: 'Win 100', kind: 'profit' as const, value: 100 };
    expect((await save(win, tenth, risk)).data).toEqual({ templates: [win, tenth, risk] });
    expect(await told()).toEqual([win, tenth, risk]);
    for (const [wrong, code, field] of [
      [{ ...tenth, value: 101 }, 'BAD_INPUT', 'templates.1.value'],
      [{ ...risk, value: 0 }, 'BAD_INPUT', 'templates.1.value'],
      [{ ...risk, value: 1.5 }, 'BAD_INPUT', 'templates.1.value'],
      [{ ...risk, value: 100_000_001 }, 'BAD_INPUT', 'templates.1.value'],
      [{ ...risk, kind: 'half' }, 'BAD_INPUT', 'templates.1.kind'],
      [{ ...risk, label: '' }, 'BAD_INPUT', 'templates.1.label'],
      [{ ...risk, label: ' x' }, 'BAD_INPUT', 'templates.1.label'],
      [{ ...risk, label: 'elevenchars' }, 'BAD_INPUT', 'templates.1.label'],
      [{ ...risk, label: 'a\u0007b' }, 'BAD_INPUT', 'templates.1.label'],
      [{ ...risk, more: 1 }, 'UNKNOWN_FIELD', 'templates.1.more'],
      [{ ...risk, label: win.label }, 'BUTTON_LABEL_TWICE', 'templates.1.label'],
    ] as const)
      expect((await save(win, wrong)).error).toMatchObject({ statusCode: 400, code, field });
    const nine = Array.from({ length: 9 }, (_, n) => ({ ...risk, label: `Risk ${n}` }));
    expect((await save(...nine)).error).toMatchObject({ code: 'BAD_INPUT', field: 'templates' });
    expect(await told()).toEqual([win, tenth, risk]);
    expect(await told((await server.player()).token)).toEqual([]);
    await save(risk);
    expect(await told()).toEqual([risk]);
  });

  it('workspaces are kept by name, per player, twenty of them', async () => {
    const { token } = await server.player();
    const pane = { kind: 'ladder' as const, marketId: 7, runnerId: 1, width: 2, height: 8 };
    const save = (name: string, more: object = {}) =>
      server.call(account.saveWorkspace, { body: { name, panes: [{ ...pane, ...more }] } }, { token });
    const kept = async () => (await server.call(account.workspaces, {}, { token })).data;
    for (let n = 1; n <= 20; n++) await save(`Desk ${n}`);
    await save('Desk 3', { kind: 'chart', runnerId: 0 });
    expect(await kept()).toHaveLength(20);
    expect((await kept()).find(({ name }) => name === 'Desk 3')!.panes).toEqual([
      { ...pane, kind: 'chart', runnerId: 0 },
    ]);
    expect((await save('Desk 21')).error).toMatchObject({ code: 'WORKSPACE_LIMIT', field: 'name' });
    await server.call(account.removeWorkspace, { body: { name: 'Desk 1' } }, { token });
    await save('Desk 21');
    for (const [name, more] of [
      [' Desk', {}],
      ['', {}],
      ['a\u0000b', {}],
      ['Desk', { width: 7 }],
      ['Desk', { kind: 'x' }],
    ])
      expect((await save(name as string, more as object)).error).toMatchObject({ code: 'BAD_INPUT' });
    expect((await kept()).map(({ name }) => name)).not.toContain('Desk 1');
    const other = await server.player();
    expect((await server.call(account.workspaces, {}, { token: other.token })).data).toEqual([]);
    // Many at one moment find no more room than one after the other.
    const many = Array.from({ length: 40 }, (_, n) => ({ name: `at once ${n}`, panes: [] }));
    await Promise.all(many.map((body) => server.call(account.saveWorkspace, { body }, { token: other.token })));
    expect((await server.call(account.workspaces, {}, { token: other.token })).data).toHaveLength(20);
  });
});

describe('statement', () => {
  it('[API-55] answers the player own rows with defaults, filters and totals', async () => {
    const player = await server.player('stan', 100_000);
    const operator = await server.operator();
    const credit = (amountMinor: number, reason: string) =>
      server.call(
        OPERATOR_CALLS.credit,
        { body: { key: newKey(), userName: 'stan', amountMinor, reason } },
        { token: operator },
      );
    for (let i = 1; i <= 16; i++) await credit(i * 100, `Voucher ${i}`);
    await credit(-50_000, 'Paid out');
    const params = { userId: String(player.userId) };
    const first = await server.call(account.transactions, { params, query: {} }, { token: player.token });
    expect(first.data).toMatchObject({ total: 18, page: 1, limit: 15 });
    expect(first.data.rows).toHaveLength(15);
    expect(first.data.rows[0]).toMatchObject({
      transType: 'withDraw',
      type: 0,
      amount: -50_000,
      closingBalance: 63_600,
      description: expect.stringContaining('Paid out'),
    });
    expect(first.data.totals).toEqual({ credit: 113_600, debit: 50_000, opening: 0, closing: 63_600 });
    const found = await server.call(
      account.transactions,
      { params, query: { searchBy: 'description', keyword: 'voucher 1', limit: '5', page: '2' } },
      { token: player.token },
    );
    expect(found.data).toMatchObject({ total: 8, page: 2, limit: 5 });
    const oldest = await server.call(
      account.transactions,
      { params, query: { sort: 'transaction.createdAt:ASC' } },
      { token: player.token },
    );
    expect(oldest.data.rows[0]!.amount).toBe(100_000);
  });

  describe('as a file', () => {
    const file = (path: string, token: string) =>
      server.fetch(`/api${path}`, { headers: { authorization: `Bearer ${token}` } });

    it('has the rows and figures of the filter, newest first, at the hours of the zone; no cell is a formula', async () => {
      const player = await server.player('csaba', 100_000);
      const operator = await server.operator();
      for (const [amountMinor, reason] of [
        [-1234, 'Fee'],
        [550, '=HYPERLINK("http://evil.example")'],
        [1, '-1+1, "quoted"'],
      ] as const)
        await server.call(
          OPERATOR_CALLS.credit,
          { body: { key: newKey(), userName: 'csaba', amountMinor, reason } },
          { token: operator },
        );
      const at = `/transaction/file/${player.userId}`;
      const told = await file(`${at}?timeZone=Asia/Tokyo`, player.token);
      expect(told.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(told.headers.get('content-disposition')).toBe('attachment; filename="account-statement.csv"');
      const [head, ...lines] = (await told.text())
        .replace(/^\uFEFF/, '')
        .trim()
        .split('\r\n');
      expect(head).toBe('Date (Asia/Tokyo),Sr no,Type,Remark,Credit,Debit,Balance');
      const inTokyo = new Date(server.clock.now + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
      expect(lines.map((line) => line.slice(0, 19))).toEqual(Array(4).fill(inTokyo));
      expect(lines.map((line) => line.split(',').slice(-3))).toEqual([
        ['0.01', '', '993.17'],
        ['5.50', '', '993.16'],
        ['', '-12.34', '987.66'],
        ['1000.00', '', '1000.00'],
      ]);
      expect(lines[2]).toContain(',Withdrawal,');
      for (const line of lines) expect(line).not.toMatch(/(^|,)"?[=+@]|(^|,)"?-\D|(^|,)"?-1\+/);
      const headIn = async (query: string) => (await (await file(at + query, player.token)).text()).split('\r\n')[0];
      expect(await headIn('?timeZone=UTC&language=es')).toContain('Fecha (UTC),N.º,Tipo,Nota,Crédito,Débito,Saldo');
      // As kept with the account, where none is asked for.
      await server.call(account.saveLanguage, { body: { language: 'hi' } }, { token: player.token });
      expect(await headIn('?timeZone=UTC')).toContain('तारीख़ (UTC),क्रम सं.,प्रकार,टिप्पणी,क्रेडिट,डेबिट,बैलेंस');
      expect(await headIn('?timeZone=UTC&language=en')).toContain('Date (UTC),Sr no,');
      expect((await file(`${at}?language=xx`, player.token)).status).toBe(400);
      const some = await file(`${at}?keyword=fee`, player.token);
      expect((await some.text()).trim().split('\r\n')).toHaveLength(2);
      expect((await file(`/transaction/file/${userId}`, player.token)).status).toBe(403);
      const bad = await file(`${at}?timeZone=Moon`, player.token);
      expect([bad.status, ((await bad.json()) as { field: string }).field]).toEqual([400, 'timeZone']);
    });

    it('a year is a PDF with what each of its months moved and left, by the clock of the zone', async () => {
      const player = await server.player('petra', 250_000);
      const words = async (query: string) => {
        const told = await file(`/transaction/year/${player.userId}?${query}`, player.token);
        expect([told.status, told.headers.get('content-type')]).toEqual([200, 'application/pdf']);
        const text = Buffer.from(await told.arrayBuffer()).toString('latin1');
        expect(text).toMatch(/^%PDF-1[\s\S]*%%EOF\s*$/);
        // Each line is a list of pieces in hexadecimal with the distances between them.
        const lines = [...text.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts]) =>
          [...parts!.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => Buffer.from(hex!, 'hex').toString('latin1')).join(''),
        );
        // What is drawn as outlines has its words beside it.
        const drawn = [...text.matchAll(/\/ActualText \(\xfe\xff((?:\\[\s\S]|[^\\)])*)\)/g)].map(([, raw]) =>
          Buffer.from(
            raw!.replace(/\\([\s\S])/g, (_, one: string) => ESCAPED[one] ?? one),
            'latin1',
          )
            .swap16()
            .toString('utf16le'),
        );
        return [...lines, ...drawn];
      };
      const year = await words('year=2026&timeZone=Europe/Berlin');
      expect(year).toContain('Yearly statement 2026');
      expect(year).toContain(`Player: petra (${player.userId})`);
      const row = (name: string) => year.slice(year.indexOf(name) + 1).slice(0, 6);
      expect(row('June')).toEqual(['0.00', '0.00', '0.00', '0.00', '0.00', '0.00']);
      expect(row('July')).toEqual(['2,500.00', '0.00', '0.00', '0.00', '0.00', '2,500.00']);
      expect(row('Year')).toEqual(['2,500.00', '0.00', '0.00', '0.00', '0.00', '2,500.00']);
      const next = await words('year=2027');
      expect(next).toContain('Balance when the year began: 2,500.00');
      const spanish = await words('year=2026&timeZone=UTC&language=es');
      expect(spanish).toEqual(
        expect.arrayContaining(['Extracto anual 2026', `Jugador: petra (${player.userId})`, 'julio', '2500,00']),
      );
      const urdu = await words('year=2026&timeZone=UTC&language=ur');
      expect(urdu).toEqual(
        expect.arrayContaining(['سالانہ', 'پلیئر', 'جولائی', `petra (${player.userId})`, '2,500.00']),
      );
      expect((await file(`/transaction/year/${player.userId}?year=1999`, player.token)).status).toBe(400);
    });
  });

  it('a curve of the balance is its entries of the range, and nobody else’s', async () => {
    const player = await server.player('curt', 100_000);
    const ask = (id: number, query: Record<string, string>) =>
      server.call(account.curve, { params: { userId: String(id) }, query }, { token: player.token });
    expect((await ask(player.userId, {})).data.points).toEqual([[expect.any(Number), 100_000]]);
    const none = { 'transaction.createdAt': between('2020-01-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z') };
    expect((await ask(player.userId, none)).data.points).toEqual([]);
    expect((await ask(userId, {})).error).toMatchObject({ statusCode: 403, field: 'userId' });
    expect((await ask(player.userId, { 'transaction.createdAt': 'gt5' })).error).toMatchObject({
      code: 'BAD_FILTER',
      field: 'transaction.createdAt',
    });
  });

  it('[CAR-23] [SEC-Z1] [SEC-Z6] another player is 403, an unknown column or word 400', async () => {
    const ask = (id: number, query: Record<string, string>) =>
      server.call(account.transactions, { params: { userId: String(id) }, query }, { token });
    expect((await ask(userId + 1, {})).error).toMatchObject({ statusCode: 403, code: 'NOT_ALLOWED' });
    expect((await ask(userId, { sort: 'users.password_hash:ASC' })).error).toMatchObject({
      statusCode: 400,
      code: 'BAD_FILTER',
      field: 'sort',
    });
    expect((await ask(userId, { 'transaction.createdAt': 'between2020-01-01|2026-01-01' })).error?.code).toBe(
      'BAD_FILTER',
    );
    expect((await ask(userId, { limit: '101' })).error).toMatchObject({ code: 'BAD_INPUT', field: 'limit' });
    const demo = (await server.call(auth.demo)).data;
    expect(
      (await server.call(account.transactions, { params: { userId: String(userId) } }, { token: demo.token })).status,
    ).toBe(403);
    expect((await server.call(provider.bets, { params: { id: String(userId + 1) } }, { token })).status).toBe(403);
  });
});
