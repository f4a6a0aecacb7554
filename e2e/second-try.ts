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
  await next.page.goto(`${site.url}/home`);
  const inside = next.page.locator('.header__header');
  const outside = next.page.getByLabel('Username');
  await inside.or(outside).first().waitFor();
  // The first try had ended the session.
  if (await outside.isVisible()) await signIn(next.page, site.url, userName, PASSWORDS[userName]);
  await inside.first().waitFor();
  return next;
}
