import * as z from 'zod/mini';
import {
  CSV,
  call,
  filterText,
  id,
  idText,
  keyword,
  languageTag,
  limit,
  minor,
  nothing,
  page,
  paged,
  sortText,
  text,
  timeZone,
} from './call.ts';
import { COUNT } from './limits.ts';
import { standing } from './protection.ts';

/** JSON text mapping a label to a whole number of the currency (5 is 5.00). */
const buttonValue = z.object({ id: z.int(), value: z.string() });

/** A stake that is worked out when it is pressed: what is available, or what the bet may cost or shall win, decides. */
const stakeTemplate = z.strictObject({
  label: z.string().check(z.regex(/^[^\s\p{C}]([^\p{C}]{0,8}[^\s\p{C}])?$/u)),
  kind: z.enum(['percent', 'liability', 'profit']),
  /** Percent of what is available, up to 100; else whole units of the currency (5 is 5.00). */
  value: z.int().check(z.minimum(1), z.maximum(100_000_000)),
});
export type StakeTemplate = z.output<typeof stakeTemplate>;

export const profile = z.object({
  id: z.int(),
  userName: z.string(),
  role: z.literal('user'),
  isDemo: z.boolean(),
  /** When this visit began: it goes on over sessions and tabs, and ends after half an hour of silence. */
  visitStartedAt: z.string(),
  currency: z.enum(['EUR', 'BRL', 'USD']),
  /** active, frozen, blocked, closed, self-excluded, cooling off, inactive, dormant */
  status: z.string(),
  betBlocked: z.boolean(),
  /** Why betting is off, in a sentence; null when it is not. */
  standing: z.nullable(standing),
  /** When the account freezes unless its age is verified before; null where it is, or where nothing was paid in yet. */
  freezesAt: z.nullable(z.string()),
  userBal: z.object({
    /** What the account holds. */
    currentBalance: minor(),
    /** Shown as a positive number: what open bets may cost at worst. */
    exposure: minor(),
    /** Winnings that are held back until somebody else has covered what he owes; neither for bets nor to withdraw. */
    held: minor(),
    /** What is free to bet: currentBalance - exposure - held. */
    available: minor(),
    /** Lifetime result of settled bets. */
    profitLoss: minor(),
    /** Rises with each change; the same number comes with the balance event. */
    version: z.int(),
  }),
  marqueeNotification: z.object({ value: z.string() }),
  buttonValues: buttonValue,
  buttonValues2: buttonValue,
  stakeTemplates: z.array(stakeTemplate),
  authenticatorType: z.int(),
  openBets: z.int(),
  lastLoginAt: z.nullable(z.string()),
  supportText: z.string(),
  /** As the player chose it, on whatever device; null: he has not. */
  language: z.nullable(languageTag),
  /** By whose clock days and hours are told: the player's choice, else his jurisdiction's; null: that of his device. */
  timeZone: z.nullable(z.string()),
});
export type Profile = z.output<typeof profile>;

export const TRANSACTION_TYPES = ['add', 'withDraw', 'win', 'loss', 'creditReference'] as const;

export const transactionRow = z.object({
  id: z.int(),
  uniqueId: z.int(),
  createdAt: z.string(),
  transType: z.enum(TRANSACTION_TYPES),
  /** 0 deposit or withdrawal, 1 sport, 2 casino, 3 live casino */
  type: z.int(),
  amount: minor(),
  closingBalance: minor(),
  description: z.string(),
  matchId: z.nullable(z.int()),
  betId: z.array(z.int()),
  runnerId: z.nullable(z.int()),
});
export type TransactionRow = z.output<typeof transactionRow>;

/** Asked for, then decided once; what is denied or cancelled is back in the balance. */
export const withdrawalState = z.enum(['requested', 'approved', 'denied', 'cancelled']);
export const withdrawal = z.object({
  id: z.int(),
  amountMinor: minor(),
  state: withdrawalState,
  askedAt: z.string(),
  /** The end of the third business day, UTC. */
  decideBy: z.string(),
  /** Of the last change of its state. */
  changedAt: z.string(),
  /** When it is paid, and how much each time; null where it is paid at once. */
  parts: z.nullable(z.array(z.object({ at: z.string(), amountMinor: minor() }))),
});
export type Withdrawal = z.output<typeof withdrawal>;

const workspaceName = z.string().check(z.regex(/^[^\s\p{C}]([^\p{C}]{0,38}[^\s\p{C}])?$/u));
const cells = (least: number, most: number) =>
  z.int().check(z.minimum(least), z.maximum(most), z.meta({ unit: 'cells of the grid' }));

/** One part of a workspace. `runnerId`: whose ladder; 0 for the other kinds. `fancy`: all sessions of the event. */
const workspacePane = z.strictObject({
  kind: z.enum(['ladder', 'market', 'chart', 'score', 'bets', 'tape', 'fancy']),
  marketId: id(),
  runnerId: z.int().check(z.minimum(0)),
  width: cells(1, 6),
  height: cells(2, 20),
});
export type WorkspacePane = z.output<typeof workspacePane>;

/** An arrangement under its name: parts in their order on the grid. */
const workspace = z.strictObject({ name: workspaceName, panes: z.array(workspacePane).check(z.maxLength(12)) });

export const account = {
  profile: call('user.profile', {
    method: 'GET',
    path: '/user/profile',
    who: 'player',
    summary: 'The player, balance and stake buttons.',
    reply: profile,
  }),
  transactions: call('transaction.list', {
    method: 'GET',
    path: '/transaction/get/:userId',
    who: 'player',
    summary: "The account statement. Always the session's own player; another id is refused.",
    params: z.strictObject({ userId: idText() }),
    query: z.strictObject({
      page: page(),
      limit: limit(),
      searchBy: z.optional(z.enum(['description', 'transType'])),
      keyword: keyword(),
      sort: sortText(),
      type: z.optional(z.enum(['0', '1', '2', '3'])),
      'transaction.createdAt': filterText(),
    }),
    reply: z.object({
      ...paged(transactionRow).def.shape,
      /** Over all pages of this filter. */
      totals: z.object({ credit: minor(), debit: minor(), opening: minor(), closing: minor() }),
    }),
    errors: ['BAD_FILTER', 'NOT_ALLOWED', 'TIME_TOO_LONG'],
  }),
  transactionFile: call('transaction.file', {
    method: 'GET',
    path: '/transaction/file/:userId',
    who: 'player',
    summary:
      'The account statement as a CSV file, newest first, times by the clock of the zone, words in the language (by default the one kept with the account); at most 50,000 rows. A cell is never a formula.',
    params: z.strictObject({ userId: idText() }),
    query: z.strictObject({
      searchBy: z.optional(z.enum(['description', 'transType'])),
      keyword: keyword(),
      type: z.optional(z.enum(['0', '1', '2', '3'])),
      'transaction.createdAt': filterText(),
      timeZone: timeZone(),
      language: z.optional(languageTag),
    }),
    file: CSV,
    reply: z.string(),
    errors: ['BAD_FILTER', 'NOT_ALLOWED', 'TIME_TOO_LONG'],
  }),
  transactionYear: call('transaction.year', {
    method: 'GET',
    path: '/transaction/year/:userId',
    who: 'player',
    summary:
      'A year of the account as a PDF: month by month what was put in, taken out, won and lost, and the balance; months by the clock of the zone, words in the language (by default the one kept with the account).',
    params: z.strictObject({ userId: idText() }),
    query: z.strictObject({
      year: z.string().check(z.regex(/^20\d{2}$/)),
      timeZone: timeZone(),
      language: z.optional(languageTag),
    }),
    file: 'application/pdf',
    reply: z.string(),
    errors: ['NOT_ALLOWED'],
  }),
  curve: call('transaction.curve', {
    method: 'GET',
    path: '/transaction/curve/:userId',
    who: 'player',
    summary: 'The balance over a time, for a chart: [ms, minor units] after at most 240 of the entries, oldest first.',
    params: z.strictObject({ userId: idText() }),
    query: z.strictObject({ 'transaction.createdAt': filterText() }),
    reply: z.object({ points: z.array(z.tuple([z.int(), minor()])) }),
    errors: ['BAD_FILTER', 'NOT_ALLOWED'],
  }),
  withdrawals: call('account.withdrawals', {
    method: 'GET',
    path: '/account/withdrawals',
    who: 'real',
    summary: "The player's newest withdrawals with their states. Support notes and decides them.",
    reply: z.array(withdrawal),
  }),
  buttons: call('button.list', {
    method: 'GET',
    path: '/button',
    who: 'player',
    summary: 'Stake buttons; the first element counts.',
    query: z.strictObject({ type: z.enum(['Match', 'Casino']) }),
    reply: z.array(z.object({ id: z.int(), type: z.enum(['Match', 'Casino']), value: z.string() })),
  }),
  saveButtons: call('button.insert', {
    method: 'POST',
    path: '/button/insert',
    who: 'player',
    summary: 'Save stake buttons: JSON text mapping 1 to 8 labels (1-10 characters) to whole numbers (1-100,000,000).',
    body: z.strictObject({ id: z.optional(z.int()), type: z.enum(['Match', 'Casino']), value: text(1000) }),
    reply: z.object({ id: z.int(), type: z.enum(['Match', 'Casino']), value: z.string() }),
    errors: ['BUTTON_LABEL_TWICE'],
  }),
  saveTemplates: call('button.templates', {
    method: 'POST',
    path: '/button/templates',
    who: 'player',
    summary:
      'Keep the stake templates, all of them: at most 8, no label twice, a percent no more than 100. The profile tells them.',
    body: z.strictObject({ templates: z.array(stakeTemplate).check(z.maxLength(COUNT.buttonRows)) }),
    reply: z.object({ templates: z.array(stakeTemplate) }),
    errors: ['BUTTON_LABEL_TWICE'],
  }),
  saveLanguage: call('user.saveLanguage', {
    method: 'POST',
    path: '/user/language',
    who: 'player',
    summary:
      'Keep the language of the client with the account: the profile tells it, and the client speaks it after a sign-in.',
    body: z.strictObject({ language: languageTag }),
    reply: z.object({ language: languageTag }),
  }),
  saveTimeZone: call('user.saveTimeZone', {
    method: 'POST',
    path: '/user/time-zone',
    who: 'player',
    summary:
      "Keep by whose clock days and hours are told, as Asia/Kolkata; null: the jurisdiction's, else the device's. Reports without a timeZone go by it.",
    body: z.strictObject({ timeZone: z.nullable(text(60)) }),
    reply: z.object({ timeZone: z.nullable(z.string()) }),
  }),
  workspaces: call('user.workspaces', {
    method: 'GET',
    path: '/user/workspaces',
    who: 'player',
    summary: 'The arrangements of ladders, markets, charts and the like that the player keeps, by name.',
    reply: z.array(workspace),
  }),
  saveWorkspace: call('user.saveWorkspace', {
    method: 'POST',
    path: '/user/workspaces',
    who: 'player',
    summary: 'Keep an arrangement under a name: it takes the place of what had the name. At most 20.',
    body: workspace,
    reply: nothing,
    errors: ['WORKSPACE_LIMIT'],
  }),
  removeWorkspace: call('user.removeWorkspace', {
    method: 'POST',
    path: '/user/workspaces/remove',
    who: 'player',
    summary: 'Take an arrangement away; one that is not there is no fault.',
    body: z.strictObject({ name: workspaceName }),
    reply: nothing,
  }),
  marquee: call('expert.notification', {
    method: 'GET',
    path: '/expert/notification',
    who: 'player',
    summary: 'The marquee text, or banner n with type=banner{n}.',
    query: z.strictObject({ type: z.optional(z.string().check(z.regex(/^banner\d{1,2}$/))) }),
    reply: z.object({ value: z.string(), type: z.string() }),
  }),
  rules: call('rules.list', {
    method: 'GET',
    path: '/rules',
    who: 'player',
    summary: 'Rules by sport and category.',
    reply: z.array(
      z.object({
        sportName: z.string(),
        rules: z.array(
          z.object({
            category: z.string(),
            description: z.array(z.object({ text: z.string(), color: z.enum(['red', 'black', 'none']) })),
          }),
        ),
      }),
    ),
  }),
  favourites: call('user.favourites', {
    method: 'GET',
    path: '/user/favourites',
    who: 'player',
    summary: 'Events and tables the player marked.',
    reply: z.object({ matchIds: z.array(z.int()), tables: z.array(z.string()) }),
  }),
  saveFavourites: call('user.saveFavourites', {
    method: 'POST',
    path: '/user/favourites',
    who: 'player',
    summary: 'Replace the marked events and tables.',
    body: z.strictObject({
      matchIds: z.array(z.int()).check(z.maxLength(100)),
      tables: z.array(text(30)).check(z.maxLength(50)),
    }),
    reply: nothing,
  }),
};
