import { beforeEach } from 'vitest';
import { signIn, type Visit, visit } from './browser.ts';
import { PASSWORDS } from './play.ts';
import type { Site } from './site.ts';

/** Before a test is tried a second time: what its first try left in what the tests of a file share is no part of it. */
export function beforeSecondTry(mend: () => Promise<void>): void {
  beforeEach(async ({ task }) => {
    if (task.result?.retryCount) await mend();
  });
}

/** A browser of its own in the place of this one, at home in the same session: a third one beside it would end the first. */
export async function again(one: Visit, site: Site, userName: 'alice' | 'bob'): Promise<Visit> {
  const session = await one.page.evaluate(() => Object.entries(sessionStorage)).catch(() => []);
  const browser = one.context.browser()!;
  await one.context.close();
  const next = await visit(browser);
  await next.page.goto(`${site.url}/login`);
  await next.page.evaluate((entries) => {
    for (const [key, value] of entries) sessionStorage.setItem(key, String(value));
  }, session);
  const outside = next.page.getByLabel('Username');
  const profile = next.page.waitForResponse((one) => new URL(one.url()).pathname === '/api/user/profile');
  const known = profile.then((answer) => answer.ok()).catch(() => false);
  await next.page.goto(`${site.url}/home`);
  // The first try may have ended the session, and the page is drawn before the server has said so.
  if (!(await Promise.race([known, outside.waitFor().then(() => false)])))
    await signIn(next.page, site.url, userName, PASSWORDS[userName]);
  await next.page.waitForURL('**/home');
  await next.page.locator('.header__header').first().waitFor();
  return next;
}
