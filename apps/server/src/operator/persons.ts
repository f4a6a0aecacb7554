/** Calls about people behind the site: signing in, the own authenticator and password, persons and their roles. */
import { CodedError, operator as calls, RIGHTS_OF, type Role } from '@fairgame/contract';
import { type Auth, firstPassword } from '../auth/auth.ts';
import type { Http } from '../http/http.ts';
import type { Audit } from '../ops/ops.ts';
import type { Acts, Effect } from './acts.ts';
import type { People, Person } from './people.ts';

export function entryRoutes(http: Http, { auth, people, audit }: { auth: Auth; people: People; audit: Audit }): void {
  const { operators } = auth;
  const iso = (at: number): string => new Date(at).toISOString();

  http.open(calls.login, ({ body, ip, device }) => operators.signIn({ ...body, ip, device }));
  http.route(calls.enrol, ({ session }) => operators.enrol(session));
  http.route(calls.confirm, async ({ body, session, ip, device }) => {
    const data = await operators.confirm(session, { ...body, ip, device });
    await audit.record({ actor: `operator:${session.userName}`, action: 'factor.on', object: personOf(session) });
    return { data, message: 'The authenticator is set up. Keep the recovery codes where nobody else finds them.' };
  });
  http.route(calls.prove, async ({ body, session, ip }) => {
    await operators.prove(session, { ...body, ip });
    return null;
  });
  http.route(calls.me, ({ session }) => {
    const { userName, roles, rights } = people.named(session.userName);
    return {
      userName,
      roles: [...roles],
      rights: [...rights],
      provedUntil: iso(operators.provedUntil(session)),
      sessionEnds: iso(operators.endsAt(session)),
    };
  });
  http.route(calls.changePassword, async ({ body, session, ip }) => {
    await operators.changePassword(session, { ...body, ip });
    await audit.record({ actor: `operator:${session.userName}`, action: 'password.change', object: personOf(session) });
    return { data: null, message: 'The password is changed. Other sessions are ended.' };
  });
  http.route(calls.signOut, async ({ session }) => {
    await operators.signOut(session);
    return { data: null, message: 'You are signed out.' };
  });
  http.route(calls.people, async () => {
    const rows = [];
    for (const { userId, userName, roles, active, madeBy } of people.all()) {
      const user = await auth.user(userId);
      rows.push({
        userName,
        roles: [...roles],
        active,
        factor: (user?.authenticatorType ?? 0) !== 0,
        madeBy,
        lastLoginAt: user?.lastLoginAt === undefined ? null : iso(user.lastLoginAt),
      });
    }
    return rows;
  });
}

const personOf = ({ userName }: { userName: string }): string => `person:${userName}`;

export function personActs(act: Acts, { auth, people }: { auth: Auth; people: People }): void {
  const { operators } = auth;
  /** While there is one who may manage people, there is nobody to agree with him. */
  const needed = (): boolean => people.withRight('people').length > 1;
  const waiting = (request: number) => ({ request });

  act(calls.addPerson, personOf, async ({ body, actor }) => {
    if (people.all().some(({ userName }) => userName.toLowerCase() === body.userName.toLowerCase()))
      throw new CodedError('NAME_TAKEN', { field: 'userName' });
    const password = firstPassword();
    const user = await operators.setPassword(body.userName, password, true);
    await people.save({ userId: user.id, userName: user.userName, roles: [], active: true, madeBy: actor });
    return { data: { password }, message: 'The person is added. Give roles next, and this password by a safe way.' };
  });

  act(
    calls.setRoles,
    personOf,
    async ({ body }) => {
      const person = people.named(body.userName);
      mustKeepOne(people, person, body.roles, person.active);
      await people.save({ ...person, roles: body.roles });
      return { data: { request: null }, message: 'The roles are set.' };
    },
    {
      needed,
      effect: ({ userName, roles }) => {
        const person = people.named(userName);
        return Promise.resolve([line(`Roles of ${person.userName}`, rolesText(person.roles), rolesText(roles))]);
      },
      waiting,
    },
  );

  act(
    calls.setPerson,
    personOf,
    async ({ body }) => {
      const person = people.named(body.userName);
      mustKeepOne(people, person, person.roles, body.active);
      await people.save({ ...person, active: body.active });
      return { data: { request: null }, message: body.active ? 'The person may sign in.' : 'The person is shut out.' };
    },
    {
      // Shutting out is for the moment of danger: one may. It takes no right to agree from anybody, so it gains nothing.
      needed: ({ body }) => body.active && needed(),
      effect: ({ userName }) => {
        const { userName: name, active, roles } = people.named(userName);
        return Promise.resolve([
          line(`${name} may sign in`, active ? 'yes' : 'no', 'yes'),
          line('with the roles', rolesText(roles), rolesText(roles)),
        ]);
      },
      waiting,
    },
  );

  act(
    calls.resetPerson,
    personOf,
    async ({ body }) => {
      const { userName, userId } = people.named(body.userName);
      const password = firstPassword();
      await operators.setPassword(userName, password, true);
      const user = await auth.user(userId);
      if (user) await operators.withoutFactor(user);
      return {
        data: { request: null, password },
        message: 'The person signs in with this password and sets up a new authenticator.',
      };
    },
    {
      needed,
      effect: ({ userName }) => {
        const { userName: name, roles } = people.named(userName);
        return Promise.resolve([
          line(
            `Password and authenticator of ${name}`,
            'known to the person',
            'a new first password, no authenticator',
          ),
          line('whose roles are', rolesText(roles), rolesText(roles)),
        ]);
      },
      waiting: (request) => ({ request, password: null }),
    },
  );
}

function line(what: string, before: string, after: string): Effect {
  return { what, before, after };
}

const rolesText = (roles: readonly Role[]): string => (roles.length > 0 ? roles.join(', ') : 'none');

/** Throws LAST_ADMIN. */
function mustKeepOne(people: People, changed: Person, roles: readonly Role[], active: boolean): void {
  const keeps = active && roles.some((role) => RIGHTS_OF[role].includes('people'));
  const others = people.withRight('people').filter((one) => one.active && one.userId !== changed.userId);
  if (!keeps && others.length === 0) throw new CodedError('LAST_ADMIN', { field: 'userName' });
}
