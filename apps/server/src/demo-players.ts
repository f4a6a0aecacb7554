import type { App } from './app.ts';
import { appCode } from './auth/auth.ts';
import type { Config } from './config.ts';
import { ownerFile } from './owner-files.ts';

interface DemoPlayer {
  userName: string;
  password: string;
  about: string;
  secret?: string;
}

const CREDIT_MINOR = 1_000_000;
const PLAYERS: ReadonlyArray<DemoPlayer & { app?: true; mustChange?: true }> = [
  { userName: 'alice', password: 'backs-the-outsider-9', about: '10,000.00 to bet with' },
  { userName: 'bob', password: 'lays-the-favourite-4', about: '10,000.00; the other side of a bet' },
  { userName: 'carol', password: 'carries-two-keys-7', about: 'has an authenticator app', app: true },
  { userName: 'dave', password: 'first-day-at-it-2', about: 'must change the password first', mustChange: true },
];
const FILE = 'demo-players.json';

/** On an empty local site: a few players to look around with. Written down in the data folder for the next start. */
export async function seedDemoPlayers({
  config,
  auth,
  protection,
}: Pick<App, 'config' | 'auth' | 'protection'>): Promise<void> {
  if (!config.demoPlayers || (await auth.players()) > 0) return;
  const made: DemoPlayer[] = [];
  for (const { app, mustChange, ...player } of PLAYERS) {
    const { userId } = await auth.createPlayer({
      userName: player.userName,
      password: player.password,
      creditMinor: CREDIT_MINOR,
      forceChangePassword: mustChange ?? false,
      actor: 'core',
    });
    await protection.verifyAge(userId, 'core');
    made.push(app ? { ...player, secret: await auth.enrolApp(userId) } : player);
  }
  ownerFile(config.dataDir, FILE, () => JSON.stringify(made));
}

/** The lines that tell a visitor how to sign in; none where there are no demo players. */
export function demoPlayerLines(config: Config, now: number): string[] {
  if (!config.demoPlayers) return [];
  const players = JSON.parse(ownerFile(config.dataDir, FILE, () => '[]')) as DemoPlayer[];
  return players.flatMap((player) => {
    const line = `  ${player.userName.padEnd(8)}${player.password.padEnd(24)}${player.about}`;
    if (!player.secret) return [line];
    return [
      line,
      `          secret for the app ${player.secret}, code now ${appCode(player.secret, Math.floor(now / 30_000))}`,
    ];
  });
}
