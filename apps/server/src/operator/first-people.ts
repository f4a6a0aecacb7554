/**
 * People made by the site itself: the first person, from the settings, and on a local site one more for each role to look around
 * with. What a local site makes up stands in a file of the data folder, which the command line beside it signs in with.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AUTH_TYPE, ROLES, type Role } from '@fairgame/contract';
import { type Auth, appCode } from '../auth/auth.ts';
import type { Config } from '../config.ts';
import type { Audit } from '../ops/ops.ts';
import type { People } from './people.ts';

export interface FirstPeople {
  /**
   * A person with a known password, made or brought to it; roles are given to a new one only. `factor`: an authenticator is
   * switched on, always (`anew`) or where there is none (`missing`), and its secret answered.
   */
  ensure(who: {
    userName: string;
    password: string;
    roles: readonly Role[];
    factor: 'none' | 'missing' | 'anew';
  }): Promise<string | null>;
  /** What the start does: the first person, and on a local site the others. */
  begin(config: Config): Promise<void>;
}

export interface KnownPerson {
  userName: string;
  password: string;
  roles: Role[];
  /** Of the authenticator. */
  secret: string;
}

/** Read by scripts/operator too. */
export const PEOPLE_FILE = 'operator-people.json';

const DEMO: ReadonlyArray<[string, Role]> = [
  ['tracy', 'trader'],
  ['seth', 'settler'],
  ['sue', 'support'],
  ['paula', 'payments'],
  ['cora', 'compliance'],
  ['conny', 'content'],
  ['ada', 'admin'],
];

export function firstPeople({ auth, people, audit }: { auth: Auth; people: People; audit: Audit }): FirstPeople {
  const ensure: FirstPeople['ensure'] = async ({ userName, password, roles, factor }) => {
    const user = await auth.operators.setPassword(userName, password, false);
    const known = people.all().some(({ userId }) => userId === user.id);
    if (!known) await people.save({ userId: user.id, userName: user.userName, roles, active: true, madeBy: 'core' });
    const present = await auth.user(user.id);
    const wanted = factor === 'anew' || (factor === 'missing' && present?.authenticatorType !== AUTH_TYPE.app);
    return wanted ? auth.operators.enrolled(user) : null;
  };

  async function reset(userName: string): Promise<void> {
    const user = await auth.user(people.named(userName).userId);
    if (!user) return;
    await audit.record({ actor: 'core', action: 'factor.off', object: `person:${userName}` });
    await auth.operators.withoutFactor(user);
  }

  return {
    ensure,
    async begin(config) {
      const { operator, profile, dataDir } = config;
      // Nobody yet: whoever has the settings may do everything, until he gives the roles to others.
      const alone = people.withRight('people').length === 0;
      if (profile === 'production') {
        if (operator) await ensure({ ...operator, roles: alone ? ROLES : [], factor: 'none' });
        if (operator && config.operatorReset) await reset(operator.userName);
        return;
      }
      const listed = new Map(readPeople(dataDir).map((person) => [person.userName, person]));
      const wanted: Array<{ userName: string; password: string; roles: readonly Role[] }> = [];
      if (operator) wanted.push({ ...operator, roles: alone ? ROLES : [] });
      if (config.demoPlayers)
        // Who stands in the file needs nothing more.
        for (const [userName, role] of DEMO)
          if (!listed.has(userName) || !people.all().some((person) => person.userName === userName))
            wanted.push({
              userName,
              password: listed.get(userName)?.password ?? randomBytes(18).toString('base64url'),
              roles: [role],
            });
      for (const person of wanted) {
        // An authenticator whose secret is lost helps nobody here.
        const secret = await ensure({ ...person, factor: listed.has(person.userName) ? 'missing' : 'anew' });
        if (secret === null) continue;
        listed.set(person.userName, { ...person, roles: [...person.roles], secret });
        // After each: an authenticator that nobody knows would shut the person out.
        writeFileSync(join(dataDir, PEOPLE_FILE), JSON.stringify([...listed.values()]), { mode: 0o600 });
      }
    },
  };
}

function readPeople(dataDir: string): KnownPerson[] {
  const path = join(dataDir, PEOPLE_FILE);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as KnownPerson[]) : [];
}

/** The lines that tell a visitor of a local site who is behind it; none elsewhere. */
export function demoPeopleLines(config: Config, now: number): string[] {
  if (!config.demoPlayers || config.profile !== 'local') return [];
  return readPeople(config.dataDir)
    .filter(({ userName }) => DEMO.some(([name]) => name === userName))
    .map(
      ({ userName, roles, password, secret }) =>
        `  ${userName.padEnd(8)}${roles.join().padEnd(12)}${password}  code now ${appCode(secret, Math.floor(now / 30_000))}`,
    );
}
