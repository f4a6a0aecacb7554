import type { Site } from './site.ts';
import { until } from './wait.ts';

/** The code a player was sent last; on a local site the server's log is the mailbox. */
export async function sentCode(site: Site, userName: string, after = 0): Promise<string> {
  return until(
    `No code was sent to ${userName}`,
    () => {
      const found = mails(site, userName);
      return found.length > after && found.at(-1);
    },
    { timeout: 10_000 },
  );
}

/** How many codes were sent to a player so far. */
export const sentCount = (site: Site, userName: string): number => mails(site, userName).length;

function mails(site: Site, userName: string): string[] {
  return site
    .output()
    .split('\n')
    .filter((line) => line.includes(`"${userName} (server log)"`))
    .flatMap((line) => /security code is (\d{6})/.exec(line)?.[1] ?? []);
}
