import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, firefox } from 'playwright-core';

/** Firefox as a system installs it, through WebDriver BiDi: the driver's own build of it is not asked for. */
const PATHS = [process.env.FIREFOX_PATH, '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Whether this run is in Firefox: the project `firefox` of vitest.config.ts says so. */
export const IN_FIREFOX = process.env.FAIRGAME_E2E_BROWSER === 'firefox';

export function launchFirefox(): Promise<Browser> {
  const path = PATHS.find((one) => one && existsSync(one));
  if (!path)
    throw new Error('No Firefox found: install one (Debian: apt-get install firefox-esr) or set FIREFOX_PATH.');
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: fileURLToPath(new URL('firefox-door.mjs', import.meta.url)),
    env: { ...process.env, FIREFOX_PATH: path },
    // A mouse: without a screen it takes itself for a machine that has nothing to point with.
    firefoxUserPrefs: { 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
  });
}

/**
 * The driver's `fill` puts its text into `input.value` from the page's own world, where React keeps watch over that very
 * property and so hears no change. Typed by the browser's editor instead, the text comes as a player's does.
 */
export const fillsAsTyped = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    Object.defineProperty(window, '__pw_bidiInsertText', {
      get: () => (text: string) => {
        document.execCommand('insertText', false, text);
      },
      // The driver puts its own there; a property that cannot be set would throw.
      set() {},
    });
  });
