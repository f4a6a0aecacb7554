import type { Site } from './site.ts';
import { sleep } from './site.ts';

/** The code a player was sent last; on a local site the server's log is the mailbox. */
export async function sentCode(site: Site, userName: string, after = 0): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const found = mails(site, userName);
    const code = found.at(-1);
    if (code && found.length > after) return code;
    await sleep(100);
  }
  throw new Error(`No code was sent to ${userName}`);
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
