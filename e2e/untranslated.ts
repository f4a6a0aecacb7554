import type { Page } from 'playwright-core';
import { speak } from './play.ts';
import { until } from './wait.ts';

/** Plain words that are no messages: names, what the tests search for, days and months. */
const KNOWN = `fair Game fairGame ind Gambling Therapy GamCare English Chrome Linux
  Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec`.split(/\s+/);

/**
 * Speaks `en-XA` on a page, where every letter of a message has an accent. `plain` tells what has none and came in no answer
 * of the server either: names and results are the server's words, all else is a text that nobody can translate.
 */
export async function accented(page: Page): Promise<{ plain: () => Promise<string[]>; end: () => Promise<void> }> {
  const told: string[] = [];
  const known = new Set(KNOWN);
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => told.push(payload.toString())));
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.startsWith('/api/')) return;
    void response
      .text()
      .then((text) => told.push(text))
      .catch(() => undefined);
  });
  await speak(page, 'en-XA');
  const isTold = (words: string): boolean => {
    const whole = new RegExp(`(?<![A-Za-z])${words}(?![A-Za-z])`);
    if (!known.has(words) && told.some((text) => whole.test(text))) known.add(words);
    return known.has(words);
  };
  const isNamed = (words: readonly string[]): boolean =>
    isTold(words.join(' ')) ||
    words.some((_, at) => at > 0 && isTold(words.slice(0, at).join(' ')) && isNamed(words.slice(at)));
  return {
    plain: async () => {
      let left: string[] = [];
      const none = async () => {
        const runs = await plainRuns(page);
        left = runs.filter(([run]) => !isNamed(run.split(' '))).map(([run, within]) => `"${run}" in "${within}"`);
        return left.length === 0;
      };
      // An answer may be drawn before it is heard here.
      await until('', none, { timeout: 5000 }).catch(() => undefined);
      return left;
    },
    end: () => speak(page, 'en'),
  };
}

/** Every run of plain words that is read or spoken on the page, with the text it stands in. */
const plainRuns = (page: Page): Promise<Array<[run: string, within: string]>> =>
  page.evaluate(() => {
    const texts = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement!.closest('script, style, noscript, .market__crest')) texts.add(node.textContent!.trim());
    for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title', 'alt'])
      for (const one of document.querySelectorAll(`[${name}]`)) texts.add(one.getAttribute(name)!);
    return [...texts].flatMap((text) =>
      // A letter with an accent beside it makes a word none of these: "Ńet" is no run.
      [...text.matchAll(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})(?: [A-Za-z]{2,}(?!\p{L}))*/gu)].map(
        ([run]): [string, string] => [run, text.slice(0, 80)],
      ),
    );
  });
