import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

type Theme = 'dark' | 'light';

export const setTheme = (on: Page, theme: Theme): Promise<void> =>
  on.evaluate((value) => {
    localStorage.setItem('theme', value);
    document.documentElement.dataset.theme = value;
  }, theme);

interface Finding {
  impact: string;
  text: string;
}

/** Rules whose findings are minor or moderate: where those are left out anyway, a tenth of the time is saved without them. */
const LIGHT_RULES = [
  'aria-allowed-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport-large',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'skip-link',
];

/** What axe finds on a page that stands in this theme, with the first places of each. */
export const allFindings = (on: Page, theme: Theme): Promise<Finding[]> => look(on, theme, []);

async function look(on: Page, theme: Theme, but: string[], without?: string): Promise<Finding[]> {
  // A colour on its way to another is neither. Ended, not awaited: on a page that draws no frame just then none would end.
  await on.evaluate(() => {
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  });
  const alone = on.frames().length === 1;
  // A document that was looked at before has the half megabyte of it.
  const known = alone && (await on.evaluate(() => 'axe' in window));
  // Without `preload`: it would write a style element, which the site's own policy refuses.
  const axe = new AxeBuilder({ page: on, ...(known ? { axeSource: ';' } : {}) }).options({
    preload: false,
    resultTypes: ['violations'],
  });
  // The usual way opens a second page to put the findings of all frames together, which takes as long again.
  axe.setLegacyMode(alone);
  if (without) axe.exclude(without);
  // The light theme differs from the dark one in its colours alone.
  const { violations } = await (theme === 'light'
    ? axe.withRules(['color-contrast', 'link-in-text-block'])
    : axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).disableRules(but)
  ).analyze();
  return violations.map(({ id, impact, nodes }) => ({
    impact: impact ?? '',
    text: `${id} (${nodes.length}): ${nodes
      .slice(0, 3)
      .map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? node.failureSummary ?? ''}`)
      .join(' | ')}`,
  }));
}

/** Serious and critical ones; `without` is left out. */
export async function findings(on: Page, theme: Theme, without?: string): Promise<string[]> {
  const all = await look(on, theme, LIGHT_RULES, without);
  return all.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ text }) => text);
}
