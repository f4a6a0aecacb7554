import { CodedError, account as calls, type LanguageTag, type ReplyOf } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Core } from '../core/types.ts';
import type { Db } from '../db/db.ts';
import type { Http, Session } from '../http/http.ts';
import { lifetimeProfit, namesIn, type Reader, type ReportDesk, zoneOf } from '../ledger/ledger.ts';
import type { Protection } from '../protection/protection.ts';
import { wordsIn } from '../words.ts';
import { defaultButtons, readButtons } from './buttons.ts';
import { OwnChoices } from './own-choices.ts';
import { RULES_TEXTS, type RulesOfSport } from './rules-texts.ts';
import { statementRoutes } from './statement-routes.ts';
import { templateRoutes, templatesOf } from './templates.ts';
import { workspaceRoutes } from './workspaces.ts';

export interface Account {
  routes(http: Http): void;
  /** Sets the marquee, or a banner by its type ('banner1'). */
  setNotice(type: string, value: string): Promise<void>;
  /** Puts the operator's texts in the place of ours for one sport. */
  setRules(sport: RulesOfSport): Promise<void>;
  /** By whose clock a report tells days and hours: that of the zone asked for, else the player's own. Throws BAD_INPUT. */
  zoneFor(userId: number, asked: string | undefined): Promise<string>;
  /** Who reads a file: by whose clock and in which language, as asked for, else the player's own. Throws BAD_INPUT. */
  readerOf(userId: number, asked: { timeZone?: string; language?: LanguageTag }): Promise<Reader>;
}

export interface AccountOptions {
  db: Db;
  reports: ReportDesk;
  core: Core;
  auth: Auth;
  protection: Protection;
  supportText: string;
  clock: () => number;
}

const BUTTON_ID = { Match: 1, Casino: 2 } as const;
type ButtonType = keyof typeof BUTTON_ID;
const WELCOME = 'Welcome to fairGame. Back and lay at your own price. 18+ only: play with what you can afford to lose.';

/** What a player reads and keeps about himself: profile, buttons, favourites, notices, rules. Always the session's own. */
export function createAccount(options: AccountOptions): Account {
  return new AccountRoom(options);
}

class AccountRoom implements Account {
  private readonly db: Db;
  private readonly core: Core;
  private readonly auth: Auth;
  private readonly protection: Protection;
  private readonly supportText: string;
  private readonly choices: OwnChoices;

  private readonly options: AccountOptions;

  constructor(options: AccountOptions) {
    const { db, core, auth, protection, supportText } = options;
    this.options = options;
    this.db = db;
    this.core = core;
    this.auth = auth;
    this.protection = protection;
    this.supportText = supportText;
    this.choices = new OwnChoices(db, protection);
  }

  private async profile(session: Session): Promise<ReplyOf<typeof calls.profile>> {
    const user = await this.auth.user(session.userId);
    if (!user) throw new CodedError('SESSION_ENDED');
    const { world, accountId } = session;
    const [marquee, match, casino, profitLoss, { state, standing, freezesAt }, language, timeZone, stakeTemplates] =
      await Promise.all([
        this.notice(''),
        this.buttonsOf(user.id, 'Match'),
        this.buttonsOf(user.id, 'Casino'),
        lifetimeProfit(this.db, accountId, world),
        this.protection.standing(session.userId),
        this.choices.language(user.id),
        this.choices.zone(user.id),
        templatesOf(this.db, user.id),
      ]);
    const wallet = this.core.read.wallet(world, accountId);
    return {
      id: user.id,
      userName: user.userName,
      role: 'user' as const,
      isDemo: session.isDemo,
      visitStartedAt: new Date(this.protection.visitSince(user.id) ?? session.createdAt).toISOString(),
      currency: user.currency,
      status: state,
      betBlocked: user.betBlocked,
      standing,
      freezesAt: freezesAt === null ? null : new Date(freezesAt).toISOString(),
      userBal: {
        currentBalance: wallet.balanceMinor,
        exposure: Math.abs(wallet.exposureMinor),
        held: wallet.heldMinor,
        available: wallet.availableMinor,
        profitLoss,
        version: wallet.version,
      },
      marqueeNotification: { value: marquee },
      buttonValues: { id: match.id, value: match.value },
      buttonValues2: { id: casino.id, value: casino.value },
      stakeTemplates,
      authenticatorType: user.authenticatorType,
      openBets: this.core.read.openBets(world, accountId).length,
      lastLoginAt: user.lastLoginAt === undefined ? null : new Date(user.lastLoginAt).toISOString(),
      supportText: this.supportText,
      language,
      timeZone,
    };
  }

  routes(http: Http): void {
    http.route(calls.profile, ({ session }) => this.profile(session));

    statementRoutes(http, { ...this.options, readerOf: (userId, asked) => this.readerOf(userId, asked) });
    this.buttonRoutes(http);
    templateRoutes(http, this.db);
    this.favouriteRoutes(http);
    this.choices.routes(http);
    workspaceRoutes(http, this.db);

    http.route(calls.marquee, async ({ query }) => {
      const type = query.type ?? '';
      return { value: await this.notice(type), type };
    });

    http.route(calls.rules, async () => {
      const rows = await this.db.query<{ sport_name: string; rules: string }>(
        'SELECT sport_name, rules FROM rules_texts ORDER BY sport_name',
      );
      const own = new Map(rows.map((row) => [row.sport_name, JSON.parse(row.rules) as RulesOfSport['rules']]));
      const known = RULES_TEXTS.map(({ sportName, rules }) => ({ sportName, rules: own.get(sportName) ?? rules }));
      const added = rows.filter((row) => !RULES_TEXTS.some((sport) => sport.sportName === row.sport_name));
      return [...known, ...added.map((row) => ({ sportName: row.sport_name, rules: own.get(row.sport_name)! }))];
    });
  }

  async setNotice(type: string, value: string): Promise<void> {
    await this.db.query(
      'INSERT INTO notices (type, value) VALUES ($1, $2) ON CONFLICT (type) DO UPDATE SET value = EXCLUDED.value',
      [type, value],
    );
  }

  async setRules({ sportName, rules }: RulesOfSport): Promise<void> {
    await this.db.query(
      'INSERT INTO rules_texts (sport_name, rules) VALUES ($1, $2) ON CONFLICT (sport_name) DO UPDATE SET rules = EXCLUDED.rules',
      [sportName, JSON.stringify(rules)],
    );
  }

  async zoneFor(userId: number, asked: string | undefined): Promise<string> {
    return zoneOf(asked ?? (await this.choices.zone(userId)) ?? undefined);
  }

  async readerOf(userId: number, asked: { timeZone?: string; language?: LanguageTag }): Promise<Reader> {
    const language = asked.language ?? (await this.choices.language(userId)) ?? 'en';
    return {
      zone: await this.zoneFor(userId, asked.timeZone),
      say: wordsIn(language),
      named: namesIn(language),
      language,
    };
  }

  private buttonRoutes(http: Http): void {
    http.route(calls.buttons, async ({ session, query }) => [await this.buttonsOf(session.userId, query.type)]);

    http.route(calls.saveButtons, async ({ session, body }) => {
      if (body.id !== undefined && body.id !== BUTTON_ID[body.type]) throw new CodedError('BAD_INPUT', { field: 'id' });
      const value = readButtons(body.value);
      await this.db.query(
        `INSERT INTO stake_buttons (user_id, type, value) VALUES ($1, $2, $3)
           ON CONFLICT (user_id, type) DO UPDATE SET value = EXCLUDED.value`,
        [session.userId, body.type, value],
      );
      return { data: { id: BUTTON_ID[body.type], type: body.type, value }, message: 'Your buttons are saved.' };
    });
  }

  private favouriteRoutes(http: Http): void {
    http.route(calls.favourites, async ({ session }) => {
      const [row] = await this.db.query<{ match_ids: string; tables: string }>(
        'SELECT match_ids, tables FROM favourites WHERE user_id = $1',
        [session.userId],
      );
      return row
        ? { matchIds: JSON.parse(row.match_ids) as number[], tables: JSON.parse(row.tables) as string[] }
        : { matchIds: [], tables: [] };
    });

    http.route(calls.saveFavourites, async ({ session, body }) => {
      await this.db.query(
        `INSERT INTO favourites (user_id, match_ids, tables) VALUES ($1, $2, $3)
           ON CONFLICT (user_id) DO UPDATE SET match_ids = EXCLUDED.match_ids, tables = EXCLUDED.tables`,
        [session.userId, JSON.stringify([...new Set(body.matchIds)]), JSON.stringify([...new Set(body.tables)])],
      );
      return null;
    });
  }

  private async buttonsOf(userId: number, type: ButtonType): Promise<{ id: number; type: ButtonType; value: string }> {
    const [row] = await this.db.query<{ value: string }>(
      'SELECT value FROM stake_buttons WHERE user_id = $1 AND type = $2',
      [userId, type],
    );
    return { id: BUTTON_ID[type], type, value: row?.value ?? defaultButtons() };
  }

  private async notice(type: string): Promise<string> {
    const [row] = await this.db.query<{ value: string }>('SELECT value FROM notices WHERE type = $1', [type]);
    return row?.value ?? (type === '' ? WELCOME : '');
  }
}
