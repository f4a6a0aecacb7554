import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { browser, show, site } from './a11y-ground.ts';
import { token } from './alice-ground.ts';
import { crowded, cutAtTable } from './crowded.ts';
import { signedIn, speak } from './play.ts';
import { settled } from './wait.ts';

/** What the files of languages share: a small phone, large text, and all card tables in one. */
export const SMALL = { width: 320, height: 640 } as const;

/** Text at twice the size: a constructed sheet, as the policy of the site allows no style element. */
export const large = (on: Page, percent: number): Promise<void> =>
  on.evaluate((size) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:root { font-size: ${size}% }`);
    document.adoptedStyleSheets = [sheet];
  }, percent);

/** A test a language: all card tables on the least phone and on a common one, and in large text. */
export function tablesStandWhole(languages: readonly string[]): void {
  for (const language of languages)
    it(`nothing of any card table is cut or lies over its neighbour, whatever the text size: ${language}`, async () => {
      const phone = await signedIn(browser, site, 'bob', { viewport: SMALL });
      const { data: tables } = await site.call<Array<{ url: string }>>('GET', '/card/tiles', token);
      expect(tables).toHaveLength(32);
      const found: Record<string, string[]> = {};
      await speak(phone.page, language);
      for (const { url } of tables) {
        await large(phone.page, 100);
        await show(phone.page, { path: url, ready: '.felt__felt .felt__inside > *' });
        // The width changes after the text: of a container in which nothing asked yet, Chromium keeps the rem it had until then.
        for (const [width, percent] of [
          [320, 100],
          [390, 100],
          [320, 200],
        ] as const) {
          await large(phone.page, percent);
          await phone.page.setViewportSize({ width, height: 844 });
          await settled(phone.page);
          const close = [...(await crowded(phone.page)), ...(await cutAtTable(phone.page))];
          if (close.length > 0) found[`${url} ${width} px ${percent} %`] = close;
        }
      }
      await phone.context.close();
      expect(found).toEqual({});
    }, 240_000);
}
