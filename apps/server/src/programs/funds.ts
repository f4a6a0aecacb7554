/** The account as programs read it. */
import { ApiError, decimal, isoTime, mustBeOurs, readStatement } from '@fairgame/exchange-api';
import type { Auth } from '../auth/auth.ts';
import type { Core } from '../core/types.ts';
import { type ReportDesk, type StatementPage, statement } from '../ledger/ledger.ts';
import type { Protection } from '../protection/protection.ts';
import type { Caller } from './entry.ts';
import type { Operation } from './operations.ts';

/** Where an account has no limit of its own: more than anybody has. */
const NO_LIMIT = -10_000_000;
const MOST_ROWS = 5000;
const AREAS = { EXCHANGE: 1, DEPOSITS_WITHDRAWALS: 0 } as const;

export function fundsOperations({
  core,
  auth,
  protection,
  reports,
}: {
  core: Core;
  auth: Auth;
  protection: Protection;
  reports: ReportDesk;
}): Record<string, Operation> {
  const account = (run: Operation['run']): Operation => ({ api: 'account', run });
  return {
    getAccountFunds: account(async (params, { session }) => {
      mustBeOurs(params);
      const limitMinor = await protection.exposureLimit(session.userId);
      const { availableMinor, exposureMinor } = core.read.wallet(session.world, session.accountId);
      return {
        availableToBetBalance: decimal(availableMinor),
        exposure: decimal(-exposureMinor) || 0,
        retainedCommission: 0,
        exposureLimit: limitMinor === null ? NO_LIMIT : decimal(-limitMinor) || 0,
        discountRate: 0,
        pointsBalance: 0,
        wallet: 'UK',
      };
    }),
    getAccountDetails: account(async (_params, { session }) => ({
      currencyCode: session.currency,
      firstName: (await auth.user(session.userId))?.userName ?? '',
      lastName: '',
      localeCode: 'en',
      region: 'GBR',
      timezone: 'GMT',
      discountRate: 0,
      pointsBalance: 0,
      countryCode: 'GB',
    })),
    getAccountStatement: account(async (params, { session }) => {
      const { from, count, range, include } = readStatement(params);
      if (from + count > MOST_ROWS) throw new ApiError('INVALID_INPUT_DATA', 'fromRecord');
      if (include === 'POKER_ROOM') return { accountStatement: [], moreAvailable: false };
      const area = include === 'ALL' ? {} : { area: AREAS[include] };
      const { accountId, world } = session;
      const { rows } = await reports.run(accountId, (db) =>
        statement(db, { accountId, world, page: 1, limit: from + count + 1, ...area, ...range }),
      );
      return {
        accountStatement: rows.slice(from, from + count).map(itemOf),
        moreAvailable: rows.length > from + count,
      };
    }),
    // Of the account's own currency alone: sizes are told in it and never converted.
    listCurrencyRates: account((_params, { session }: Caller) => [{ currencyCode: session.currency, rate: 1 }]),
    transferFunds: account(() => {
      throw new ApiError('WALLET_TRANSFER_ERROR');
    }),
    createDeveloperAppKeys: account(() => {
      throw new ApiError('APP_KEY_CREATION_FAILED', 'keys are made on the website');
    }),
  };
}

/** A line of ours; what the format says of single bets and we do of markets is left at its neutral word. */
function itemOf(row: StatementPage['rows'][number]): object {
  const won =
    row.transType === 'win' ? 'RESULT_WON' : row.transType === 'loss' ? 'RESULT_LOST' : 'RESULT_NOT_APPLICABLE';
  const isBet = row.type === 1;
  const legacyData = {
    avgPrice: 0,
    betSize: 0,
    betType: 'B',
    betCategoryType: isBet ? 'E' : 'NONE',
    eventId: row.matchId ?? 0,
    eventTypeId: 0,
    fullMarketName: row.description,
    grossBetAmount: 0,
    marketName: row.description,
    marketType: isBet ? 'O' : 'NOT_APPLICABLE',
    placedDate: row.createdAt,
    selectionId: 0,
    startDate: row.createdAt,
    transactionType: row.amount >= 0 ? 'ACCOUNT_CREDIT' : 'ACCOUNT_DEBIT',
    transactionId: 0,
    winLose: won,
  };
  return {
    refId: String(row.id),
    itemDate: isoTime(Date.parse(row.createdAt)),
    amount: decimal(row.amount),
    balance: decimal(row.closingBalance),
    itemClass: 'UNKNOWN',
    itemClassData: { unknownStatementItem: JSON.stringify(legacyData) },
    legacyData,
  };
}
