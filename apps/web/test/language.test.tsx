import { TABLES } from '@fairgame/casino';
import { msg, plural, t } from '@lingui/core/macro';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { Trans } from '@lingui/react/macro';
import { render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Catalogue, readCatalogue, writeCatalogue } from '../build/catalogue.ts';
import { compiled, spokenMessages, withMessages } from '../build/messages.ts';
import { bounds } from '../src/features/account/date-filter.tsx';
import { localDay } from '../src/features/account/days.ts';
import { timeCell } from '../src/features/account/export.tsx';
import { allGames, chosen, readChoice } from '../src/features/casino/live/catalogue.ts';
import type { GameList } from '../src/features/casino/live/families.ts';
import { scoreLine } from '../src/live/score-line.ts';
import {
  dayText,
  formatDate,
  formatDateTime,
  formatDay,
  formatMoney,
  formatShort,
  formatSigned,
  formatWhole,
  typedMinor,
  typedOdds,
} from '../src/platform/format.ts';
import { chooseLanguage, filled, language, say, speakAsKept } from '../src/platform/language.ts';
import { LANGUAGES } from '../src/platform/languages.ts';
import { named, namedCountry, namedLine, namedResult } from '../src/platform/named.ts';
import { setTimeZone } from '../src/platform/zone.ts';

afterEach(async () => {
  vi.useRealTimers();
  setTimeZone(null);
  await chooseLanguage('en');
});

const GAME = {
  game_id: 'a-roulette',
  game_code: 'roulette',
  game_name: '',
  provider_name: 'Alder',
  sub_provider_name: '',
  category: 'Live',
  family: 'roulette',
  status: 'ACTIVE',
  url_thumb: '',
};
const LATE = msg`Said later`;
const bets = (count: number) => plural(count, { one: '# open bet', other: '# open bets' });

test('a message says its values, its counts and its elements', () => {
  const runner = 'Kohli <b>, {name}';
  expect(t`Back ${runner} at ${'2.5'}`).toBe('Back Kohli <b>, {name} at 2.5');
  expect([bets(1), bets(0), bets(1234)]).toEqual(['1 open bet', '0 open bets', '1,234 open bets']);
  expect(say(LATE)).toBe('Said later');
  const { container } = render(
    <p>
      <Trans>
        Lay <b>{runner}</b> before <i>{<u>noon</u>}</i>, or <br /> not
      </Trans>
    </p>,
  );
  expect(container.innerHTML).toBe('<p>Lay <b>Kohli &lt;b&gt;, {name}</b> before <i><u>noon</u></i>, or <br> not</p>');
});

test('the pseudo-language changes every letter of the words and none of the values', async () => {
  await chooseLanguage('en-XA');
  expect(document.documentElement.lang).toBe('en-XA');
  const runner = 'Kohli';
  expect(t`Back ${runner}`).toMatch(/^[^A-Za-z]{4,} Kohli$/);
  expect(bets(2)).toMatch(/^2 [^A-Za-z]+ [^A-Za-z]+$/);
  expect(t`The whole screen has room for it`.length).toBeGreaterThan('The whole screen has room for it'.length * 1.3);
});

test('names and reasons that feeds write alike are said in the language; others stay as they came', async () => {
  const names = [
    '6 over runs, IND',
    'Fall of 2nd wicket, AUS',
    'R. Sharma runs',
    'Match Odds',
    'Rovers',
    'Win Again',
    'VAR',
  ];
  expect(names.map(named)).toEqual(names);
  await chooseLanguage('hi');
  const said = ['6 ओवर रन, IND', 'विकेट 2 गिरने तक, AUS', 'R. Sharma रन', 'मैच ऑड्स', 'Rovers', 'Win Again', 'VAR'];
  expect(names.map(named)).toEqual(said);
  expect(['Void: Over not bowled', 'Rovers, The Draw', '186'].map(namedResult)).toEqual([
    'रद्द: ओवर नहीं हुआ',
    'Rovers, ड्रॉ',
    '186',
  ]);
  // The notes of scores, with names as they came.
  const notes = [
    'New Zealand need 74 off 70',
    'R. Lead won the toss and chose to bat',
    'Set 2: M. Moor',
    'VAR: no goal',
  ];
  expect(notes.map(named)).toEqual([
    'New Zealand को 70 गेंदों में 74 चाहिए',
    'R. Lead ने टॉस जीतकर बल्लेबाज़ी चुनी',
    'सेट 2: M. Moor',
    'VAR: no goal',
  ]);
  expect(
    ['A v B / Match Odds: The Draw, commission back', 'Rovers / win, round a:7', 'A: late'].map(namedLine),
  ).toEqual(['A v B / मैच ऑड्स: ड्रॉ, कमीशन वापस', 'Rovers / जीत, राउंड a:7', 'A: late']);
  await chooseLanguage('en-XA');
  expect(['Rovers', '12 over runs, IND'].map(named)).toEqual(['Rovers', expect.stringMatching(/^12 [^A-Za-z]+, IND$/)]);
});

test('tables, games and competitions are named as players of the language call them, and found by both names', async () => {
  const tables = Object.values(TABLES).map(({ name }) => name);
  const competitions = [
    'Baccarat',
    'West Indies tour of South Africa',
    'Southern Smash',
    'Caribbean Premier League',
    'Calder elections',
    'Kerala Women',
    'Kerala Women v Delhi Women',
    'Nobody knows this',
  ];
  expect([...tables, ...competitions].map(named)).toEqual([...tables, ...competitions]);
  await chooseLanguage('hi');
  // A letter that tells one of two tables from the other stays.
  expect(tables.map(named).filter((name) => /[A-Za-z]{2}/.test(name))).toEqual([]);
  expect(['Teenpatti 1-Day', '20-20 Dragon Tiger 2', '32 Cards B'].map(named)).toEqual([
    'तीन पत्ती 1 डे',
    '20-20 ड्रैगन टाइगर 2',
    '32 कार्ड B',
  ]);
  expect(competitions.map(named)).toEqual([
    'बकारा',
    'West Indies का South Africa दौरा',
    'सदर्न स्मैश',
    'Caribbean प्रीमियर लीग',
    'Calder चुनाव',
    'Kerala महिला',
    'Kerala Women v Delhi Women',
    'Nobody knows this',
  ]);
  expect(namedLine('20-20 Poker / win, round a:7')).toBe('20-20 पोकर / जीत, राउंड a:7');
  expect([namedCountry('GB', 'United Kingdom'), namedCountry('XC', 'XC'), namedCountry('?', 'Moon')]).toEqual([
    'यूनाइटेड किंगडम',
    'XC',
    'Moon',
  ]);
  const games: GameList = {};
  games.Alder = { Live: [{ ...GAME, game_name: 'Elm Street Roulette' }] };
  const found = (search: string) =>
    chosen(allGames(games), readChoice(new URLSearchParams()), search, new Set()).length;
  expect([found('रूलेट'), found('roulette'), found('keno')]).toEqual([1, 1, 0]);
});

test('a language is kept by the browser, writes as its people do, and says in English what it has no words for', async () => {
  for (const one of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
    await chooseLanguage(one);
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual([one, one === 'ur' ? 'rtl' : 'ltr']);
    expect(t`No file has these words`).toBe('No file has these words');
  }
  await chooseLanguage('hi');
  await speakAsKept();
  expect(language()).toBe('hi');
  localStorage.setItem('language', 'toString');
  await speakAsKept();
  expect(language()).toBe('en');
});

test('days and hours are those of the clock that the player chose, in lists, reports and files', () => {
  const late = Date.UTC(2026, 10, 20, 18, 0);
  vi.useFakeTimers({ now: late });
  const told = () => [
    formatDateTime(late),
    formatDay(late + 45 * 60_000),
    localDay(0),
    timeCell('2026-11-20T18:00:00Z'),
  ];
  setTimeZone('Asia/Kolkata');
  expect(told()).toEqual(['20 Nov 2026, 23:30', 'Tomorrow', '2026-11-20', '2026-11-20 23:30:00']);
  expect(bounds({ from: '2026-11-20', to: '2026-11-20' })).toEqual({
    from: '2026-11-19T18:30:00.000Z',
    to: '2026-11-20T18:30:00.000Z',
  });
  setTimeZone('Asia/Tokyo');
  expect(told()).toEqual(['21 Nov 2026, 03:00', 'Today', '2026-11-21', '2026-11-21 03:00:00']);
  for (const far of ['Pacific/Kiritimati', 'Pacific/Niue']) {
    setTimeZone(far);
    expect(dayText('2026-11-20')).toBe('20 Nov 2026');
  }
  // What this browser does not know is none.
  setTimeZone('Moon');
  expect(localDay(0)).toBe('2026-11-20');
});

test('figures and days are written as the language writes them, with Latin digits', async () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  const said = () => [formatMoney(123_456_789), formatWhole(12_345_600), formatDate(noon)];
  expect(said()).toEqual(['1,234,567.89', '123,456', '20 Nov 2026']);
  setTimeZone('Asia/Kolkata');
  expect(said()).toEqual(['12,34,567.89', '1,23,456', '20 Nov 2026']);
  await chooseLanguage('bn');
  // Of counts in messages too.
  expect(bets(1234)).toMatch(/^1,234 /);
  await chooseLanguage('hi');
  expect(said()).toEqual(['12,34,567.89', '1,23,456', '20 नव॰ 2026']);
  await chooseLanguage('pt-BR');
  expect(said()).toEqual(['1.234.567,89', '123.456', '20/11/2026']);
  await chooseLanguage('es');
  expect(formatMoney(125_000)).toBe('1.250,00');
  expect(formatShort(246_000)).toBe('2,4k');
  await chooseLanguage('ur');
  // A mark before the sign keeps it before its figure from right to left.
  expect([formatSigned(-86_000), formatSigned(5), formatMoney(-5), formatMoney(5)]).toEqual([
    '\u200e\u2212860.00',
    '\u200e+0.05',
    '\u200e\u22120.05',
    '0.05',
  ]);
  // So is a score: the goals of who stands first come first.
  const football = { sport: 'football', home: 'Avon', away: 'Brent', homeGoals: 1, awayGoals: 3 } as const;
  const now = { ...football, minute: 65, phase: '2H', clock: '65', events: [] };
  expect(scoreLine(now)).toEqual({ when: "\u200e65'\u200e", text: '\u200e1\u20133\u200e' });
});

test('amounts and odds are read as the language writes them, and never as another amount', async () => {
  const read = (...texts: string[]) => texts.map(typedMinor);
  expect(read('1,250.50', '1,00,000', '25', '12,50', '1.250')).toEqual([125_050, 10_000_000, 2500, null, null]);
  await chooseLanguage('es');
  expect(read('12,50', '12.50', '1.250', '1.250,5', '12.345.678', '1,250', '1,250.50')).toEqual([
    1250,
    1250,
    125_000,
    125_050,
    1_234_567_800,
    null,
    null,
  ]);
  expect([typedOdds('2,5'), typedOdds('2.5')]).toEqual([250, 250]);
  // As keyboards of each script write it.
  await chooseLanguage('bn');
  expect(read('१२५०', '১,২৫০.৫', '௩௯', '౪౮', '۱۲٫۵', '٦٧')).toEqual([125_000, 125_050, 3900, 4800, 1250, 6700]);
  expect(typedOdds('২.৫')).toBe(250);
});

test('cases by count and by word, within one another, by the rules of the language', () => {
  const message = compiled(
    '{n, plural, offset:1 =0 {none} one {{who, select, me {mine and # more} other {theirs}}} other {# more}}',
  );
  const said = (n: number, who: string) => filled(message, { n, who });
  expect([said(0, 'me'), said(2, 'me'), said(2, 'you'), said(5, 'me')]).toEqual([
    'none',
    'mine and 1 more',
    'theirs',
    '4 more',
  ]);
  expect(() => compiled('{at, date, short}')).toThrow('there is no date');
});

test('words that are asked for before anything is drawn are refused', () => {
  const source = (code: string) => `import { t, msg } from '@lingui/core/macro';\n${code}`;
  expect(() => withMessages(source('export const TITLE = t`Home`;'), '/a.ts')).toThrow('take `msg` here');
  const { code, messages } = withMessages(
    source("export const TITLE = msg({ message: 'Home', comment: 'the first screen' });"),
    '/a.ts',
  );
  expect(messages).toMatchObject([{ text: 'Home', comment: 'the first screen' }]);
  expect(code).not.toContain('the first screen');
});

test('the file of a language comes back as it was written, in an order that does not hang on where a text stands', () => {
  const { messages } = withMessages(
    "import { t } from '@lingui/core/macro';\n" +
      "export const f = () => [t`Lay`, t({ message: 'Back', context: 'bet' }), t`Back`];",
    '/a.ts',
  );
  const catalogue: Catalogue = Object.fromEntries(
    messages.map(({ id, text, context }) => [
      id,
      { message: text, translation: `${text} (${context ?? ''})`, ...(context && { context }) },
    ]),
  );
  const text = writeCatalogue(catalogue, 'hi');
  expect(readCatalogue(text)).toMatchObject(catalogue);
  expect(writeCatalogue(readCatalogue(text), 'hi')).toBe(text);
  expect(text.match(/^msgstr ".+"/gm)).toEqual(['Back ()', 'Back (bet)', 'Lay ()'].map((one) => `msgstr "${one}"`));
  const moved = Object.fromEntries(Object.entries(catalogue).reverse());
  expect(writeCatalogue(moved, 'hi')).toBe(text);
});

test('a build for production asks by the same keys', () => {
  const source =
    "import { t, msg } from '@lingui/core/macro';\n" +
    "export const EVERY = msg({ message: 'Every', context: 'how often' });\n" +
    "export const f = (n) => [t`Back`, t({ message: 'Back', context: 'bet' }), t({ message: 'Lay', context: 'bet' })];";
  const { code } = withMessages(source, '/a.ts');
  vi.stubEnv('NODE_ENV', 'production');
  expect(withMessages(source, '/a.ts').code).toBe(code);
  vi.unstubAllEnvs();
});

test('a language answers under the keys that the program asks by', () => {
  const { code, messages } = withMessages(
    "import { t } from '@lingui/core/macro';\n" +
      "export const f = (n) => [t`Back`, t({ message: 'Back', context: 'bet' }), t`It''s ${n}`];",
    '/a.ts',
  );
  const [way, bet, count] = messages.map((one) => one.id);
  const catalogue = {
    [way!]: { message: 'Back', translation: 'वापस' },
    [bet!]: { message: 'Back', context: 'bet', translation: 'बैक' },
    [count!]: { message: messages[2]!.text, translation: '{n} है' },
  };
  const { transform } = spokenMessages() as { transform: (code: string, id: string) => { code: string } };
  expect(transform(writeCatalogue(catalogue, 'hi'), '/hi.po').code).toBe(
    "import '@fontsource-variable/noto-sans-devanagari/index.css';\n" +
      'export const font = ["1em \\"Noto Sans Devanagari Variable\\"","क"];\n' +
      `export default ${JSON.stringify({ Back: 'वापस', [bet!]: 'बैक', [count!]: [['n'], ' है'] })};`,
  );
  // The rules of the sports are a file of their own, under their English.
  const ruled = writeCatalogue(
    { [generateMessageId('Void.', 'rules')]: { message: 'Void.', context: 'rules', translation: 'रद्द।' } },
    'hi',
  );
  expect(transform(ruled, '/hi.po').code).toContain('export default {};');
  expect(transform(ruled, '/hi.po?rules').code).toBe('export default {"Void.":"रद्द।"};');
  for (const asked of ['_("Back")', `_("${bet}", "Back")`, `_("${count}", ["It`]) expect(code).toContain(asked);
});
