import { type Account, createAccount } from '../account/account.ts';
import { Alerts } from '../alerts/alerts.ts';
import { type Auth, createAuth } from '../auth/auth.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Core } from '../core/types.ts';
import { createReportDesk } from '../ledger/ledger.ts';
import { createOperator, type Operator, type OperatorOptions } from '../operator/operator.ts';
import type { Backups } from '../ops/ops.ts';
import { Protection } from '../protection/protection.ts';
import { createProviders, type Providers } from '../providers/providers.ts';
import { createPush, type Push } from '../push/push.ts';
import type { FeedDesk } from './feed.ts';
import type { Ground } from './ground.ts';

export interface OfficeParts {
  core: Core;
  catalog: Catalog;
  holds: OperatorOptions['holds'];
  feed: FeedDesk;
  backups: Backups;
  /** Whether this process does what only one of the site does. */
  isAlone: () => boolean;
}

interface People {
  auth: Auth;
  account: Account;
  protection: Protection;
  reports: ReturnType<typeof createReportDesk>;
}

export interface Office extends People {
  operator: Operator;
  providers: Providers;
  push: Push;
  alerts: Alerts;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Players and the people behind the site, their protection, the providers: what a gateway serves, and what the desk does for all of
 * them when their time has come.
 */
export async function openOffice(ground: Ground, parts: OfficeParts): Promise<Office> {
  const people = await openPeople(ground, parts);
  const { auth, protection } = people;
  const providers = openProviders(ground, people, parts);
  const operator = await openOperator(ground, parts, { people, providers });
  const push = await openPush(ground, people);
  const alerts = openAlerts(ground, parts, push);
  return {
    ...people,
    operator,
    providers,
    push,
    alerts,
    start: () => providers.start(),
    async stop() {
      await alerts.stop();
      await push.stop();
      providers.stop();
      operator.overdue.stop();
      await protection.stop();
      await auth.stop();
    },
  };
}

async function openPeople(ground: Ground, { core, isAlone }: OfficeParts): Promise<People> {
  const { config, db: site, bus, clock, log, audit, deliver } = ground;
  const db = site.lane('people');
  const reports = createReportDesk(site, () => core.health().seq);
  const auth = await createAuth({ db, bus, core, config, log, clock, audit, isAlone, ...(deliver ? { deliver } : {}) });
  const protection = new Protection({ db: site, bus, core, auth, audit, clock, log, isAlone });
  const account = createAccount({ db, reports, core, auth, protection, supportText: config.supportText, clock });
  return { auth, account, protection, reports };
}

function openProviders(ground: Ground, { auth, protection }: People, { isAlone }: OfficeParts): Providers {
  const { config, clock, steady, log, audit, metrics } = ground;
  const db = ground.db.lane('money');
  const core = protection.guarded;
  const parts = { db, core, config, protection, audit, clock, steady, log, isAlone };
  const providers = createProviders({ ...parts, metrics: metrics.providers });
  // Who signs out, or is signed out, plays no further round of what he opened there.
  auth.onEnded((ids, userId, _reason, elsewhere) => {
    if (elsewhere) return;
    providers.endSessions(userId, ids).catch((error: unknown) => log.warn({ err: error }, 'games could not be ended'));
  });
  return providers;
}

function openOperator(
  { config, db, bus, clock, log, audit }: Ground,
  { catalog, holds, feed, backups, isAlone }: OfficeParts,
  { people, providers }: { people: People; providers: Providers },
): Promise<Operator> {
  const { auth, account, protection } = people;
  return createOperator({
    db,
    bus,
    isAlone,
    core: protection.guarded,
    auth,
    account,
    catalog,
    audit,
    holds,
    protection,
    clock,
    log,
    dataDir: config.dataDir,
    backups,
    feed,
    held: {
      waiting: () => providers.held.holds.waiting(),
      mustWait: (provider, txId) => providers.held.holds.mustWait(provider, txId),
      decide: (decision) => providers.held.decideHeld(decision),
      voidable: (round) => providers.held.voidable(round),
      voidRound: (round) => providers.held.voidRound(round),
    },
    aloneMinor: config.creditAloneMinor,
  });
}

function openPush({ config, db, clock, log }: Ground, { auth }: People): Promise<Push> {
  const { pushContact: contact, pushLoopback: loopback } = config;
  const keyring = config.keyring.purpose('push services');
  return createPush({ db: db.lane('people'), auth, keyring, contact, loopback, clock, log });
}

function openAlerts({ db, bus, clock, log, owner }: Ground, { core, catalog }: OfficeParts, push: Push): Alerts {
  return new Alerts({ db: db.lane('people'), bus, core, catalog, push, clock, log, owner });
}
