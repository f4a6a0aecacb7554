import { account, COUNT, eq, inArr, PAGE, TIME, TRANSACTION_TYPES, transactionRow, WIDTH } from '@fairgame/contract';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { buttonPairs } from '../src/betting/button-pairs.ts';
import { readButtons } from '../src/betting/profile.ts';
import { behindQuery } from '../src/features/account/bets-behind.tsx';
import { csvText } from '../src/features/account/csv.ts';
import { bounds } from '../src/features/account/date-filter.tsx';
import { dayAfter } from '../src/features/account/days.ts';
import { checkRows, jsonOf, rowsOf, storedOf } from '../src/features/buttons/rows.ts';
import { frameSource } from '../src/features/frames/source.ts';
import { deviceName } from '../src/features/security/device.ts';
import { dayText } from '../src/platform/format.ts';
import { TOAST_MS } from '../src/platform/toasts.ts';
import { authState, endSession, readSession, startSession } from '../src/session/session.ts';
import { COMPACT, PHONE } from '../src/ui/media.ts';
import { RecoveryCode, recoveryCode } from '../src/ui/recovery-code.tsx';

afterEach(() => {
  document.head.innerHTML = '';
  vi.restoreAllMocks();
});

const session = {
  token: 'token-of-the-tab',
  userId: 101,
  forceChangePassword: false,
  isAuthenticator: true as boolean | null,
  authType: 0,
  isDemo: false,
};
const fits = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown): boolean =>
  schema.safeParse(value).success;

describe('constants', () => {
  it('[CFG-01] widths: mobile to 768, tablet 768 to 1599, narrow header to 1199; the client asks by the same figures', () => {
    expect(WIDTH).toEqual({ mobileMax: 768, tabletMin: 768, tabletMax: 1599, narrowHeaderMax: 1199 });
    expect(PHONE).toBe(`(max-width: ${WIDTH.mobileMax}px)`);
    expect(COMPACT).toBe(`(max-width: ${WIDTH.narrowHeaderMax}px)`);
  });

  it('[CFG-02] times of requests, toasts, search, idleness and the agreement of tabs', () => {
    expect(TIME).toMatchObject({
      requestTimeoutMs: 100_000,
      toastMs: 1500,
      searchDebounceMs: 500,
      idleMs: 21_600_000,
      logoutCountdownS: 5,
      tabElectionMs: 100,
      tabFallbackMs: 2000,
    });
    expect(TOAST_MS).toBe(TIME.toastMs);
  });

  it('[CFG-03] [CFG-04] fifteen rows for statements, card reports and casino bets, ten for current bets, from page 1', () => {
    expect(PAGE).toEqual({ first: 1, statement: 15, cardReport: 15, casinoBets: 15, currentBets: 10 });
  });

  it('[CFG-05] counts of search, code, buttons, run amounts and the marquee', () => {
    expect(COUNT).toEqual({
      searchChars: 3,
      codeDigits: 6,
      buttonRows: 8,
      runTrimAbove: 8,
      runTrimBy: 4,
      marqueeMarginPx: 300,
    });
  });
});

describe('session', () => {
  it('[AUT-06] the state of sign-in holds forceChangePassword, isAuthenticator, demoDetails and authToken', () => {
    expect(authState()).toEqual({
      forceChangePassword: false,
      isAuthenticator: null,
      demoDetails: null,
      authToken: null,
    });
    startSession({ ...session, forceChangePassword: true });
    expect(authState()).toEqual({
      forceChangePassword: true,
      isAuthenticator: true,
      demoDetails: null,
      authToken: 'token-of-the-tab',
    });
    startSession({ ...session, isDemo: true });
    expect(authState().demoDetails).toEqual({ userId: 101 });
  });

  it('[SES-01] [SES-03] [OPN-20] six keys, the user id under uid; ending the session removes them and what is the player’s', () => {
    startSession(session);
    expect(Object.keys(sessionStorage).sort()).toEqual(
      ['authType', 'forceChangePassword', 'isAuthenticator', 'isDemo', 'jwtMaxUser', 'uid'].sort(),
    );
    expect(sessionStorage.getItem('uid')).toBe('101');
    sessionStorage.setItem('fg.player.slip', 'a bet');
    endSession('signedOut');
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(readSession()).toBeNull();
  });

  it('[CAR-13] hints are compared as text: "false" is not true, and anything else is not either', () => {
    startSession(session);
    for (const [text, value] of [
      ['true', true],
      ['false', false],
      ['1', false],
      ['TRUE', false],
    ] as const) {
      sessionStorage.setItem('isDemo', text);
      sessionStorage.setItem('forceChangePassword', text);
      expect(readSession()).toMatchObject({ isDemo: value, forceChangePassword: value });
    }
    sessionStorage.setItem('isAuthenticator', 'yes');
    expect(readSession()!.isAuthenticator).toBeNull();
  });
});

describe('stake buttons', () => {
  it('[BTN-08] the first element of the answer is used', () => {
    expect(storedOf([{ id: 1 }, { id: 2 }])).toEqual({ id: 1 });
    expect(storedOf([])).toBeUndefined();
    expect(storedOf(undefined)).toBeUndefined();
  });

  it('[BTN-10] the value is JSON text of label to number, both ways, in the order of the player', () => {
    const text = '{"Big":500,"7":7,"a \\"b\\"":3}';
    expect(buttonPairs(text)).toEqual([
      ['Big', 500],
      ['7', 7],
      ['a "b"', 3],
    ]);
    const rows = rowsOf(text);
    expect(rows).toHaveLength(COUNT.buttonRows);
    expect(rows[1]).toEqual({ label: '7', value: '7' });
    expect(jsonOf(rows)).toBe(text);
    expect(JSON.parse(jsonOf(rows))).toEqual({ Big: 500, '7': 7, 'a "b"': 3 });
    expect(readButtons(text)).toEqual([
      { label: 'Big', stakeMinor: 50_000 },
      { label: '7', stakeMinor: 700 },
      { label: 'a "b"', stakeMinor: 300 },
    ]);
    for (const damaged of ['', 'no', '[1]', '{"a":}', undefined]) expect(readButtons(damaged)).toEqual([]);
  });

  it('[BTN-11] [CAR-31] [OPN-19] half-filled rows are left out; equal labels and values out of bounds are named by row', () => {
    const row = (label: string, value: string) => ({ label, value });
    expect(jsonOf([row('a', '1'), row('b', ''), row('', '3'), row(' c ', '4')])).toBe('{"a":1,"c":4}');
    expect(checkRows([row('a', '1'), row('b', ''), row('', '3')])).toEqual({});
    expect(Object.keys(checkRows([row('a', '1'), row('a ', '2'), row('b', '0'), row('c', '100000001')]))).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(checkRows([row('a', '100000000'), row('b', '1')])).toEqual({});
    expect(checkRows([row('x', ''), row('', '2')])).toEqual({ 0: 'Fill at least one row.' });
  });

  it('[BTN-13] the profile has buttonValues and buttonValues2, each of id and value', () => {
    const shape = account.profile.reply.def.shape;
    for (const name of ['buttonValues', 'buttonValues2'] as const) {
      expect(fits(shape[name], { id: 1, value: '{}' })).toBe(true);
      expect(fits(shape[name], { id: 1 })).toBe(false);
      expect(fits(shape[name], { id: 1, value: { a: 1 } })).toBe(false);
    }
  });
});

describe('records', () => {
  const line = { text: 'A line.', color: 'red' };
  const entry = { sportName: 'Cricket', rules: [{ category: 'Fancy', description: [line] }] };

  it('[RUL-05] [RUL-07] a rules entry has sportName and rules, a line text and colour', () => {
    const { reply } = account.rules;
    expect(fits(reply, [entry])).toBe(true);
    expect(fits(reply, [{ sportName: 'Cricket' }])).toBe(false);
    expect(fits(reply, [{ ...entry, rules: [{ category: 'Fancy', description: [{ text: 'x' }] }] }])).toBe(false);
  });

  it('[RUL-08] [CAR-45] the colour is red, black or none, and nothing else', () => {
    const { reply } = account.rules;
    for (const color of ['red', 'black', 'none', 'blue', 'url(x)', ''])
      expect(fits(reply, [{ ...entry, rules: [{ category: 'x', description: [{ text: 'x', color }] }] }])).toBe(
        ['red', 'black', 'none'].includes(color),
      );
  });

  it('[CAR-35] [REP-05] the transaction types are add, withDraw, win, loss and creditReference', () => {
    expect(TRANSACTION_TYPES).toEqual(['add', 'withDraw', 'win', 'loss', 'creditReference']);
    const row = {
      id: 1,
      uniqueId: 1,
      createdAt: '2026-11-20T10:00:00.000Z',
      transType: 'withDraw',
      type: 0,
      amount: -100,
      closingBalance: 0,
      description: 'x',
      matchId: null,
      betId: [],
      runnerId: null,
    };
    expect(fits(transactionRow, row)).toBe(true);
    expect(fits(transactionRow, { ...row, transType: 'withdraw' })).toBe(false);
  });
});

describe('reports', () => {
  it('[REP-14] [REP-15] [REP-16] [REP-17] what stands behind a row is asked by market, runner, result and owner; a card round by its own runner and not as a current bet', () => {
    const sport = behindQuery({ markets: [7, 8], runnerId: 3, card: false }, 101);
    expect(sport).toMatchObject({
      betId: inArr([7, 8]),
      runnerId: eq(3),
      result: 'inArr[WIN,LOSS,TIE,VOID,UNDECLARE]',
      createBy: eq(101),
      sort: 'betPlaced.createdAt:DESC',
      isCurrentBets: 'true',
    });
    const card = behindQuery({ markets: [7], runnerId: 3, card: true }, 101);
    expect(card).toMatchObject({ 'betPlaced.runnerId': eq(3) });
    expect(card).not.toHaveProperty('isCurrentBets');
    expect(card).not.toHaveProperty('runnerId');
    expect(
      behindQuery({ markets: Array.from({ length: 80 }, (_, n) => n), runnerId: null, card: false }, 1).betId,
    ).toBe(inArr(Array.from({ length: 50 }, (_, n) => n)));
  });

  it('[CAR-33] a range ends at the midnight after its last day, on the player’s own calendar', () => {
    const { from, to } = bounds({ from: '2026-03-28', to: '2026-03-29' });
    expect(new Date(from).getHours()).toBe(0);
    expect(new Date(to).getHours()).toBe(0);
    expect(new Date(to).getDate()).toBe(30);
    expect(dayAfter('2026-12-31')).toBe('2027-01-01');
    expect(dayText('2026-11-20')).toBe('20 Nov 2026');
  });

  it('CSV quotes what needs it, and a cell that a spreadsheet would run stays text', () => {
    expect(
      csvText(
        ['a', 'b'],
        [
          ['=1+1', '-5.00'],
          ['-x', 'say "hi", now'],
          ['@me', 'two\nlines'],
        ],
      ),
    ).toBe('\uFEFFa,b\r\n\'=1+1,-5.00\r\n\'-x,"say ""hi"", now"\r\n\'@me,"two\nlines"\r\n');
  });
});

describe('security', () => {
  it('names browser and system of a session, and shows anything else as it came', () => {
    const of = (rest: string) => deviceName(`Mozilla/5.0 (${rest}`);
    expect(of('Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0')).toBe(
      'Edge on Windows',
    );
    expect(of('iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604')).toBe(
      'Safari on iPhone',
    );
    expect(of('Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36')).toBe('Chrome on Android');
    expect(of('X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox on Linux');
    expect(deviceName('curl/8.9')).toBe('curl/8.9');
    expect(deviceName('')).toBe('Unknown device');
  });

  it('takes a recovery code however it was typed, and says what one looks like', () => {
    expect(recoveryCode(' abcde fghjk ')).toBe('ABCDE-FGHJK');
    expect(recoveryCode('ABCDE-FGHJ')).toBeNull();
    expect(recoveryCode('ABCDE-FGH1K')).toBeNull();
    const done = vi.fn();
    render(<RecoveryCode action="Log in" onComplete={done} />);
    fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: 'no' } });
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
    expect(screen.getByText('A recovery code looks like ABCDE-FGHJK.')).toBeTruthy();
    expect(done).not.toHaveBeenCalled();
    fireEvent.change(screen.getByLabelText('Recovery code'), { target: { value: 'abcdefghjk' } });
    fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
    expect(done).toHaveBeenCalledWith('ABCDE-FGHJK');
  });
});

describe('frames', () => {
  const host = (kind: string, content: string) => {
    const meta = document.createElement('meta');
    meta.name = `fairgame-${kind}`;
    meta.content = content;
    document.head.append(meta);
  };

  it('[CAR-46] [OPN-63] joins the configured host with plain ids, else the site’s own drawing; nothing names another host', () => {
    expect(frameSource('stream', 'ch-7', undefined)).toEqual({ url: '/frame/tv/ch-7', own: true });
    expect(frameSource('score', '7', '4')).toEqual({ url: '/frame/score/7', own: true });
    for (const id of ['https://evil.example', '../evil', '//evil', 'a@b', 'a b', '', 'x'.repeat(61)])
      expect(frameSource('stream', id, undefined)).toBeNull();
    expect(frameSource('stream', 'ch-7', '4/../..')).toBeNull();
    host('stream', 'https://streams.test');
    expect(frameSource('stream', 'ch-7', '4')).toEqual({ url: 'https://streams.test/ch-7/4', own: false });
    host('score', 'http://plain.test');
    expect(frameSource('score', '7', undefined)).toBeNull();
  });
});
