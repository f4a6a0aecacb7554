import { readFileSync } from 'node:fs';
import { CALLS } from '@fairgame/contract';
import { OPERATION_SHAPES } from '@fairgame/exchange-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appCode } from '../src/auth/auth.ts';
import { type Answer, codeOf, type Json, type Player, programDoor } from './program-door.ts';
import { PASSWORD } from './server.ts';
import { goals, IDS, type Site } from './site.ts';

const { programs } = CALLS;

let site: Site;
let base: string;
let anna: Player;
let key: string;
const { open, renew, keyOf, identity, signIn, login, shown, post, rpc } = programDoor();

beforeAll(async () => {
  ({ site, base, anna, key } = await open());
});
afterAll(() => site.close());

describe('keys', () => {
  it('are made under step-up, shown to their player alone, and taken away at once', async () => {
    const ben = await site.player('ben');
    const own = await keyOf(ben, { name: 'ladder', rights: 'read', addresses: ['127.0.0.0/8'] });
    const session = await login(ben, own);
    const told = (await site.call(programs.list, {}, { token: ben.token })).data;
    expect(told).toMatchObject({
      open: true,
      keys: [{ name: 'ladder', key: own, rights: 'read', addresses: ['127.0.0.0/8'] }],
    });
    expect(await rpc('Account/getDeveloperAppKeys', {}, shown('', session))).toMatchObject([
      { appName: 'ladder', appVersions: [{ applicationKey: own, active: true, delayData: false }] },
    ]);
    const again = { body: { name: 'ladder', rights: 'bet' as const, addresses: [] } };
    expect((await site.call(programs.create, again, { token: ben.token })).error?.code).toBe('NAME_TAKEN');
    const wrong = { body: { ...again.body, name: 'x', addresses: ['300.1.1.1'] } };
    expect((await site.call(programs.create, wrong, { token: ben.token })).error).toMatchObject({ field: 'addresses' });

    const { id } = told.keys[0]!;
    expect((await site.call(programs.revoke, { body: { id } }, { token: anna.token })).error?.code).toBe('NOT_FOUND');
    expect(await rpc('listEventTypes', { filter: {} }, shown(own, session))).not.toHaveLength(0);
    expect((await site.call(programs.revoke, { body: { id } }, { token: ben.token })).status).toBe(200);
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, shown(own, session)))).toBe(
      'INVALID_SESSION_INFORMATION',
    );
    expect(await signIn('ben', PASSWORD, own)).toMatchObject({
      status: 'FAIL',
      error: 'INPUT_VALIDATION_ERROR',
      token: '',
    });

    site.clock.advance(61 * 60_000);
    expect((await site.call(programs.create, again, { token: ben.token })).error?.code).toBe('STEP_UP_REQUIRED');
  });

  it('are good for their own account, their addresses and their rights only', async () => {
    const carl = await site.player('carl');
    const own = await keyOf(carl, { addresses: ['10.1.2.3'] });
    expect(await signIn('carl', PASSWORD, own)).toMatchObject({ error: 'SECURITY_RESTRICTED_LOCATION' });
    expect(await signIn('carl', PASSWORD, key)).toMatchObject({ error: 'INPUT_VALIDATION_ERROR' });
    const session = await login(carl, await keyOf(carl));
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, shown(key, session)))).toBe('INVALID_APP_KEY');
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, shown(own, session)))).toBe('ACCESS_DENIED');
  });
});

describe('sessions', () => {
  it('begin with the right pair, go on by keepAlive alone, and end by logout', async () => {
    expect(await signIn('anna', 'loud-river', key)).toEqual({
      token: '',
      product: key,
      status: 'FAIL',
      error: 'INVALID_USERNAME_OR_PASSWORD',
    });
    expect(await signIn('nobody-here', 'loud-river', key)).toMatchObject({ error: 'INVALID_USERNAME_OR_PASSWORD' });
    expect(await signIn('anna', PASSWORD, '')).toMatchObject({ error: 'INPUT_VALIDATION_ERROR' });
    const session = await login(anna, key);
    const other = await login(anna, key);
    site.clock.advance(11 * 3_600_000);
    await rpc('listEventTypes', { filter: {} }, shown(key, other));
    const good = { token: session, product: key, status: 'SUCCESS', error: '' };
    expect(await identity('keepAlive/', shown(key, session))).toEqual(good);
    expect(await identity('keepAlive', shown(key, session), undefined, 'GET')).toEqual(good);
    site.clock.advance(2 * 3_600_000);
    expect(await rpc('listEventTypes', { filter: {} }, shown(key, session))).not.toHaveLength(0);
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, shown(key, other)))).toBe('INVALID_SESSION_INFORMATION');
    expect(await identity('logout', shown(key, session), undefined, 'GET')).toEqual(good);
    expect(await identity('keepAlive', shown(key, session))).toMatchObject({ status: 'FAIL', error: 'NO_SESSION' });
    await renew(anna);
  });

  it('want the code of the app behind the password, each code once', async () => {
    const dora = await site.player('dora');
    const own = await keyOf(dora);
    const secret = await site.app.auth.enrolApp(dora.userId);
    const code = () => appCode(secret, Math.floor(site.clock() / 30_000));
    expect(await signIn('dora', PASSWORD, own)).toMatchObject({ error: 'STRONG_AUTH_CODE_REQUIRED' });
    const wrong = code() === '000000' ? '000001' : '000000';
    expect(await signIn('dora', PASSWORD + wrong, own)).toMatchObject({ error: 'INVALID_USERNAME_OR_PASSWORD' });
    expect(await signIn('dora', PASSWORD + code(), own)).toMatchObject({ status: 'SUCCESS' });
    expect(await signIn('dora', PASSWORD + code(), own)).toMatchObject({ status: 'FAIL' });
  });

  it('want the code that the password alone had sent, where codes come by message', async () => {
    const finn = await site.player('finn');
    const own = await keyOf(finn);
    const sent = () => /\b(\d{6})\b/.exec(site.messages.at(-1)!.text)![1]!;
    await site.call(CALLS.auth.generate, { body: { type: 1, password: PASSWORD } }, { token: finn.token });
    await site.call(CALLS.auth.verify, { body: { authToken: sent() } }, { token: finn.token });
    const before = site.messages.length;
    const wants = { status: 'FAIL', error: 'STRONG_AUTH_CODE_REQUIRED', token: '' };
    expect(await signIn('finn', PASSWORD, own)).toMatchObject(wants);
    expect(await signIn('finn', PASSWORD, own)).toMatchObject(wants);
    // Only one of them, and none for who has not the password.
    const codes = site.messages.slice(before).filter(({ subject }) => subject === 'Your security code');
    expect(codes).toHaveLength(1);
    const code = sent();
    const wrong = code === '000000' ? '000001' : '000000';
    expect(await signIn('finn', `not the one${code}`, own)).toMatchObject({ error: 'INVALID_USERNAME_OR_PASSWORD' });
    expect(await signIn('finn', PASSWORD + wrong, own)).toMatchObject({ error: 'INVALID_USERNAME_OR_PASSWORD' });
    expect(await signIn('finn', PASSWORD + code, own)).toMatchObject({ status: 'SUCCESS' });
    expect(await signIn('finn', PASSWORD + code, own)).toMatchObject({ status: 'FAIL', token: '' });
  });

  it('climb the ladder of wrong passwords of the website', async () => {
    const eve = await site.player('eve');
    const own = await keyOf(eve);
    // From a network the owner was never seen at it would be shorter; he has five tries here.
    const tried: Array<string | undefined> = [];
    for (let n = 0; n < 5; n++) tried.push((await signIn('eve', `wrong-${n}`, own)).error);
    expect(tried).toEqual([...Array(4).fill('INVALID_USERNAME_OR_PASSWORD'), 'ACCOUNT_NOW_LOCKED']);
    expect(await signIn('eve', PASSWORD, own)).toMatchObject({ error: 'ACCOUNT_ALREADY_LOCKED', token: '' });
    const { error } = await site.call(CALLS.auth.login, { body: { userName: 'eve', password: PASSWORD } });
    expect(error?.code).toBe('LOGIN_WAIT');
  });

  it('end with a break, a block, another password, and whatever throws the player out', async () => {
    const fred = await site.player('fred');
    const own = await keyOf(fred);
    const ask = (session: string) => rpc('listEventTypes', { filter: {} }, shown(own, session)).then(codeOf);
    const ended = 'INVALID_SESSION_INFORMATION';
    const first = await login(fred, own);
    expect(await ask(first)).toBeUndefined();
    await site.app.auth.forceLogout(fred.userId);
    expect(await ask(first)).toBe(ended);

    const second = await login(fred, own);
    const user = (await site.app.auth.user(fred.userId))!;
    await site.app.protection.block(user, 'account', true, 'test');
    expect(await ask(second)).toBe(ended);
    expect(await signIn('fred', PASSWORD, own)).toMatchObject({ error: 'SUSPENDED' });
    await site.app.protection.block(user, 'account', false, 'test');
    await site.app.db.query("UPDATE users SET status = 'closed' WHERE id = $1", [fred.userId]);
    expect(await signIn('fred', PASSWORD, own)).toMatchObject({ error: 'CLOSED' });
    await site.app.db.query("UPDATE users SET status = 'active' WHERE id = $1", [fred.userId]);

    const third = await login(fred, own);
    await site.app.auth.resetPassword('fred');
    expect(await ask(third)).toBe(ended);

    const gina = await site.player('gina');
    const ginas = await keyOf(gina);
    const session = await login(gina, ginas);
    const rest = await site.call(CALLS.protection.coolOff, { body: { length: '24h' } }, { token: gina.token });
    expect(rest.status).toBe(200);
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, shown(ginas, session)))).toBe(ended);
    expect(await signIn('gina', PASSWORD, ginas)).toMatchObject({ error: 'SELF_EXCLUDED', token: '' });
  });

  it('have no place for who comes with a certificate nobody showed', async () => {
    const form = { username: 'anna', password: PASSWORD };
    expect(await identity('certlogin', { 'X-Application': key }, form)).toEqual({ loginStatus: 'CERT_AUTH_REQUIRED' });
  });
});

describe('envelopes', () => {
  it('answer JSON-RPC single and in batches, on every path bots use, with the id as it came', async () => {
    const call = { jsonrpc: '2.0', method: 'SportsAPING/v1.0/listEventTypes', params: { filter: {} }, id: 'a-7' };
    for (const path of ['betting/json-rpc/v1', 'betting/json-rpc/v1/', `betting/json-rpc/v1/${call.method}`]) {
      expect(await (await post(path, call)).json()).toMatchObject({
        jsonrpc: '2.0',
        id: 'a-7',
        result: expect.any(Array),
      });
    }
    const batch = (await (
      await post('betting/json-rpc/v1', [call, { ...call, id: 2, method: 'SportsAPING/v1.0/nothing' }])
    ).json()) as object[];
    expect(batch).toMatchObject([{ id: 'a-7' }, { id: 2, error: { code: -32601, message: 'DSC-0021' } }]);
    const refused = async (body: unknown) => ((await (await post('betting/json-rpc/v1', body)).json()) as Answer).error;
    expect(await refused('{"a":')).toMatchObject({ code: -32700 });
    expect(await refused([])).toMatchObject({ code: -32600 });
    expect(codeOf(await refused(Array(51).fill(call)))).toBe('REQUEST_SIZE_EXCEEDS_LIMIT');
    expect(await rpc('listEventTypes', {})).toEqual({ code: -32602, message: 'DSC-0018' });
  });

  it('refuse a member that stands twice, wherever it stands', async () => {
    const params = '{"marketId":"1.1","instructions":[{"limitOrder":{"size":2,"price":2,"size":2000}}]}';
    const call = `{"jsonrpc":"2.0","id":1,"method":"SportsAPING/v1.0/placeOrders","params":${params}}`;
    for (const body of [call, `[${call}]`])
      expect(await (await post('betting/json-rpc/v1', body)).json()).toMatchObject({ error: { code: -32602 } });
    const rest = await post('betting/rest/v1.0/placeOrders', params);
    expect([rest.status, await rest.json()]).toEqual([400, expect.objectContaining({ faultstring: 'DSC-0018' })]);
  });

  it('answer REST with the bare result, or 400 and the fault', async () => {
    for (const path of ['betting/rest/v1.0/listEventTypes', 'betting/rest/v1.0/listEventTypes/']) {
      const good = await post(path, { filter: {} });
      expect([good.status, Array.isArray(await good.json())]).toEqual([200, true]);
    }
    const bad = await post('betting/rest/v1.0/listEventTypes/', { filter: {} }, shown(key, 'gone'));
    expect(bad.status).toBe(400);
    const rpcs = await post('betting/json-rpc/v1', '{');
    expect([bad, rpcs].map(({ headers }) => headers.get('content-type'))).toEqual(Array(2).fill('application/json'));
    expect(await bad.json()).toEqual({
      faultcode: 'Client',
      faultstring: 'ANGX-0003',
      detail: {
        exceptionname: 'APINGException',
        APINGException: {
          requestUUID: expect.stringMatching(/^fg-/),
          errorCode: 'INVALID_SESSION_INFORMATION',
          errorDetails: '',
        },
      },
    });
    expect(await (await post('account/rest/v1.0/nothing', {}, shown())).json()).toMatchObject({
      faultstring: 'DSC-0021',
    });
  });

  it('are described for machines, each of them and no other', async () => {
    for (const [path, file] of [
      ['openapi.json', 'programs.openapi.json'],
      ['stream.schema.json', 'programs.stream.json'],
    ]) {
      const written = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
      const response = await fetch(`${base}/${path}`);
      expect(response.headers.get('content-type')).toContain('application/json');
      // `npx tsx scripts/api-docs.ts` writes them.
      expect(JSON.parse(written)).toEqual(await response.json());
    }
    const areas = { betting: 'Sports', account: 'Account', heartbeat: 'Heartbeat', scores: 'Scores' };
    for (const { name, api } of OPERATION_SHAPES) {
      const told = await rpc(`${areas[api]}/${name}`, { filter: 1, preferredTimeoutSeconds: -1, marketIds: 1, bad: 1 });
      expect([name, told.code]).not.toEqual([name, -32601]);
    }
  });

  it('say what is missing, and what is too large', async () => {
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, { ...shown(), 'X-Application': '' }))).toBe('NO_APP_KEY');
    expect(codeOf(await rpc('listEventTypes', { filter: {} }, { 'X-Application': key } as never))).toBe('NO_SESSION');
    const large = await post('betting/json-rpc/v1', `{"x":"${'y'.repeat(257 * 1024)}"}`);
    expect([large.status, codeOf(((await large.json()) as Answer).error)]).toEqual([200, 'REQUEST_SIZE_EXCEEDS_LIMIT']);
  });
});

describe('lists', () => {
  it('find the markets of the slate by what they share', async () => {
    const types = await rpc('listEventTypes', { filter: {} });
    expect(types).toContainEqual({ eventType: { id: '1', name: 'Soccer' }, marketCount: 2 });
    expect(types.map((one: { eventType: { id: string } }) => one.eventType.id).sort()).toEqual([
      '1',
      '2',
      '2378961',
      '4',
      '4339',
      '7',
    ]);
    expect(await rpc('listEventTypes', { filter: { eventTypeIds: ['999'] } })).toEqual([]);
    expect(await rpc('listVenues', { filter: { eventTypeIds: ['7'] } })).toEqual([
      { venue: 'Elmford', marketCount: 2 },
    ]);
    expect(await rpc('listCountries', { filter: { eventTypeIds: ['4339'] } })).toEqual([
      { countryCode: 'AU', marketCount: 1 },
    ]);
    expect(await rpc('listCompetitions', { filter: { eventTypeIds: ['1'] } })).toMatchObject([
      { competition: { id: '702', name: 'North Premier' }, marketCount: 2 },
    ]);
    expect(await rpc('listMarketTypes', { filter: { eventTypeIds: ['1'] } })).toEqual([
      { marketType: 'MATCH_ODDS', marketCount: 1 },
      { marketType: 'OVER_UNDER_25', marketCount: 1 },
    ]);
    expect(await rpc('listEvents', { filter: { textQuery: 'rovers*united' } })).toMatchObject([
      { event: { id: '30009002', name: 'Rovers v United', timezone: 'GMT' }, marketCount: 2 },
    ]);
    const ranges = await rpc('listTimeRanges', { filter: { eventTypeIds: ['1'] }, granularity: 'DAYS' });
    expect(ranges).toMatchObject([{ marketCount: 2 }]);
  });

  it('describe a market in what was asked for and nothing else', async () => {
    const filter = { marketIds: [`1.${200_000_000 + IDS.race.win}`] };
    const [bare] = await rpc('listMarketCatalogue', { filter, maxResults: '1' });
    expect(Object.keys(bare).sort()).toEqual(['marketId', 'marketName', 'totalMatched']);
    const marketProjection = ['EVENT', 'EVENT_TYPE', 'MARKET_START_TIME', 'MARKET_DESCRIPTION', 'RUNNER_METADATA'];
    const [full] = await rpc('listMarketCatalogue', { filter, maxResults: 1, marketProjection, locale: null });
    expect(full).toMatchObject({
      marketStartTime: expect.stringMatching(/\.\d{3}Z$/),
      eventType: { id: '7' },
      event: { venue: 'Elmford', countryCode: 'GB' },
      description: { bettingType: 'ODDS', marketType: 'WIN', bspMarket: false, regulator: expect.any(String) },
    });
    expect(full.runners).toHaveLength(3);
    expect(full.runners[0]).toMatchObject({ selectionId: IDS.race.horses[0], handicap: 0, sortPriority: 1 });
    expect(full.runners[0].metadata).toMatchObject({
      runnerId: String(IDS.race.horses[0]),
      WEIGHT_UNITS: 'pounds',
    });
    const dogs = { marketIds: [`1.${200_000_000 + IDS.dogs.win}`] };
    const weighed = { filter: dogs, maxResults: 1, marketProjection: ['RUNNER_METADATA'] };
    const [greyhounds] = await rpc('listMarketCatalogue', weighed);
    expect(greyhounds.runners[0].metadata).toMatchObject({ WEIGHT_VALUE: '31.5', WEIGHT_UNITS: 'kilograms' });
    expect(codeOf(await rpc('listMarketCatalogue', { filter, maxResults: 101, marketProjection }))).toBe(
      'TOO_MUCH_DATA',
    );
    expect(codeOf(await rpc('listMarketCatalogue', { filter, maxResults: 0 }))).toBe('INVALID_INPUT_DATA');
    // House-quoted markets have no counterpart in the format.
    const quoted = { marketIds: [`1.${200_000_000 + IDS.cricket.bookmaker}`] };
    expect(await rpc('listMarketCatalogue', { filter: quoted, maxResults: 1 })).toEqual([]);
  });

  it('nest the menu from sport to market, races right below their sport', async () => {
    const response = await fetch(`${base}/exchange/betting/rest/v1/en/navigation/menu.json`, { headers: shown() });
    const menu = (await response.json()) as Json;
    expect(menu).toMatchObject({ type: 'GROUP', id: 0 });
    const sport = (id: string) => menu.children.find((one: { id: string }) => one.id === id);
    expect(sport('7').children[0]).toMatchObject({ type: 'RACE', venue: 'Elmford', countryCode: 'GB' });
    expect(sport('1').children[0]).toMatchObject({
      type: 'GROUP',
      id: '702',
      children: [{ type: 'EVENT', countryCode: '' }],
    });
    expect(sport('1').children[0].children[0].children[0]).toMatchObject({
      type: 'MARKET',
      exchangeId: '1',
      numberOfWinners: 1,
    });
  });
});

describe('scores', () => {
  it('are those of the feed, each with what it was before', async () => {
    const event = String(30_000_000 + IDS.football.event);
    const play = (minute: number, goalsA: number) => site.feed(goals(IDS.football.event, minute, goalsA));
    const scores = (name: string, params: object) => rpc(`Scores/${name}`, params);
    const key = (lastUpdateSequenceProcessed = 0) => ({
      updateKeys: [{ eventId: event, lastUpdateSequenceProcessed }],
    });
    await play(12, 0);
    await play(31, 1);
    expect(await scores('listAvailableEvents', { eventTypeIds: ['1'] })).toEqual([
      { eventId: event, eventTypeId: '1', eventStatus: 'IN_PROGRESS' },
    ]);
    expect(await scores('listAvailableEvents', { eventIds: ['1'] })).toEqual([]);
    expect(await scores('listAvailableEvents', { eventStatus: ['FINISHED'] })).toEqual([]);
    const [now] = await scores('listScores', key());
    expect(now).toMatchObject({
      responseCode: 'OK',
      updateContext: { eventTime: '31:00' },
      values: { homeName: 'Rovers', homeGoals: '1', awayGoals: '0' },
    });
    const { incidents } = (await scores('listIncidents', key()))[0];
    expect(Object.values(incidents).map((one: Json) => [one.updateContext.eventTime, one.values.homeGoals])).toEqual([
      ['12:00', '0'],
      ['31:00', '1'],
    ]);
    const newest = now.updateContext.updateSequence;
    expect((await scores('listIncidents', key(newest)))[0].incidents).toEqual({});
    expect(await scores('listScores', { updateKeys: [{ eventId: '1' }] })).toEqual([]);
    const races = await scores('listRaceDetails', {});
    const meetingId = String(30_000_000 + IDS.race.event);
    const details = races.find((one: Json) => one.meetingId === meetingId);
    expect(details).toMatchObject({ raceId: expect.stringMatching(/^\d+\.\d{4}$/), raceStatus: 'DORMANT' });
    expect(await scores('listRaceDetails', { raceIds: [details.raceId] })).toEqual([details]);
    expect(await scores('listRaceDetails', { meetingIds: [event] })).toEqual([]);
  });
});
