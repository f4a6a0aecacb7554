/** Persons behind the site and what each may do. Few, so all are in memory; a process that changes them tells the others. */
import { type AnyCall, CodedError, type Right, ROLES, type Role, rightsOf } from '@fairgame/contract';
import type { Auth } from '../auth/auth.ts';
import type { Bus } from '../bus/bus.ts';
import type { Db, Log } from '../db/db.ts';
import type { Session } from '../http/http.ts';

export interface Person {
  readonly userId: number;
  readonly userName: string;
  readonly roles: readonly Role[];
  readonly active: boolean;
  readonly madeBy: string;
  readonly rights: ReadonlySet<Right>;
}

export interface People {
  /** Throws NOT_ALLOWED, FACTOR_REQUIRED, RIGHT_MISSING, PROOF_REQUIRED. */
  mayCall(session: Session, call: AnyCall): void;
  /** Throws RIGHT_MISSING. */
  demand(userId: number, right: Right): void;
  all(): readonly Person[];
  /** Throws PERSON_UNKNOWN. */
  named(userName: string): Person;
  /** A person who could sign in and has the right; those shut out for the moment count too. */
  withRight(right: Right): readonly Person[];
  /** Makes a person, or changes one; sessions of a changed one end. */
  save(person: {
    userId: number;
    userName: string;
    roles: readonly Role[];
    active: boolean;
    madeBy: string;
  }): Promise<Person>;
}

interface Row {
  user_id: number;
  user_name: string;
  roles: string;
  active: boolean;
  made_by: string;
}

const CHANGED = 'ctl.people';

export async function createPeople(parts: {
  db: Db;
  auth: Auth;
  bus: Bus;
  clock: () => number;
  log: Log;
}): Promise<People> {
  const { db, auth, bus, clock, log } = parts;
  const people = new Map<number, Person>();
  await load();
  bus.hear(CHANGED, reload);
  bus.onHearing((hears) => {
    if (hears) reload();
  });

  function reload(): void {
    load().catch((error: unknown) => log.error({ err: error }, 'persons could not be read again'));
  }

  async function load(): Promise<void> {
    const rows = await db.query<Row>(
      'SELECT o.user_id, u.user_name, o.roles, o.active, o.made_by FROM operators o JOIN users u ON u.id = o.user_id ORDER BY o.user_id',
    );
    for (const row of rows) keep(row.user_id, row.user_name, rolesIn(row.roles), row.active, row.made_by);
  }

  function keep(userId: number, userName: string, roles: readonly Role[], active: boolean, madeBy: string): Person {
    const person = { userId, userName, roles, active, madeBy, rights: rightsOf(roles) };
    people.set(userId, person);
    return person;
  }

  function demand(userId: number, right: Right): void {
    if (!people.get(userId)?.rights.has(right))
      throw new CodedError('RIGHT_MISSING', { message: `Your roles do not include this (${right}).` });
  }

  return {
    demand,
    mayCall(session, call) {
      const person = people.get(session.userId);
      if (!person?.active) throw new CodedError('NOT_ALLOWED');
      if (call.right === 'entering') return;
      if (session.pending) throw new CodedError('FACTOR_REQUIRED');
      // A call that names no right is for whoever may change everything.
      if (call.right !== 'any') demand(person.userId, call.right ?? 'system');
      if (call.proof && auth.operators.provedUntil(session) < clock()) throw new CodedError('PROOF_REQUIRED');
    },
    all: () => [...people.values()].sort(byId),
    named(userName) {
      const key = userName.trim().toLowerCase();
      const person = [...people.values()].find((one) => one.userName.toLowerCase() === key);
      if (!person) throw new CodedError('PERSON_UNKNOWN', { field: 'userName' });
      return person;
    },
    withRight: (right) => [...people.values()].filter(({ rights }) => rights.has(right)),
    async save({ userId, userName, roles, active, madeBy }) {
      await db.query(
        `INSERT INTO operators (user_id, roles, active, made_by, made_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id) DO UPDATE SET roles = EXCLUDED.roles, active = EXCLUDED.active`,
        [userId, inOrder(roles).join(), active, madeBy, clock()],
      );
      const known = people.has(userId);
      const person = keep(userId, userName, inOrder(roles), active, madeBy);
      if (!bus.alone) bus.tell(CHANGED, new Uint8Array());
      if (known) await auth.operators.endSessions(userId);
      return person;
    },
  };
}

/** As the rows are read, however this process came to know them. */
const byId = (a: Person, b: Person): number => a.userId - b.userId;

const rolesIn = (text: string): Role[] => inOrder(text.split(','));

/** One order at every process: what two of them say of a change is compared, word for word. */
function inOrder(roles: readonly string[]): Role[] {
  return ROLES.filter((role) => roles.includes(role));
}
