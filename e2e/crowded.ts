import type { Page } from 'playwright-core';

/**
 * Texts of a page that stand in each other's way or have no room: two that overlap, one that runs below a price or a card, a
 * figure that reaches to the edge of its price cell, a name or a list's score that is cut to nothing, a tile's category that is cut at all. By the middle half of each line, as letters fill it; what scrolls or is cut with an ellipsis counts as far as it shows.
 */
export const crowded = (on: Page): Promise<string[]> =>
  on.evaluate(() => {
    const texts: Array<{ node: Node; layer: Element | null; said: string; box: [number, number, number, number] }> = [];
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const part = node.parentElement!;
      if (!node.textContent!.trim() || part.closest('script, style, svg, option, .sr, .veil__veil')) continue;
      if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      let [left, top, right, bottom] = [0, Number.NEGATIVE_INFINITY, innerWidth, Number.POSITIVE_INFINITY];
      let layer: Element | null = null;
      for (let up: Element | null = part; up && up !== document.body; up = up.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(up);
        const around = up.getBoundingClientRect();
        if (overflowX !== 'visible') [left, right] = [Math.max(left, around.left), Math.min(right, around.right)];
        if (overflowY !== 'visible') [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
        // What stays while the page scrolls lies over the rest on purpose.
        if (position === 'fixed' || position === 'sticky') layer ??= up;
      }
      const said = `${part.tagName}.${part.className} "${node.textContent!.trim().slice(0, 24)}"`;
      if (part.matches('.market-table__name, .race-parts__name') && part.scrollWidth > part.clientWidth) {
        const em = Number.parseFloat(getComputedStyle(part).fontSize);
        if (part.clientWidth < 2.5 * em) found.add(`${said} has ${Math.round(part.clientWidth)} px`);
      }
      if (part.matches('.market__tileCaption .clip') && part.scrollWidth > part.clientWidth)
        found.add(`${said} is cut`);
      const cell = part.closest('.price__cell')?.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        if (cell && line.width > 0 && (line.left < cell.left + 1 || line.right > cell.right - 1))
          found.add(`${said} fills its cell of ${Math.round(cell.width)} px`);
        const box: [number, number, number, number] = [
          Math.max(line.left, left),
          Math.max(line.top, top) + line.height / 4,
          Math.min(line.right, right),
          Math.min(line.bottom, bottom) - line.height / 4,
        ];
        if (part.matches('.event-list__meta b') && line.right > right + 1) found.add(`${said} is cut`);
        if (box[2] - box[0] > 2 && box[3] - box[1] > 2) texts.push({ node, layer, said, box });
      }
    }
    // Prices have a ground of their own: words beside them stand clear of them, and the clock of a table clear of its cards.
    for (const over of document.querySelectorAll('#main .price__cell, #main .casino__card')) {
      if (!over.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const row = over.closest('.market-table__line, .race-parts__runner, .event-list__event');
      const { left, top, right, bottom } = over.getBoundingClientRect();
      for (const { node, layer, said, box } of texts)
        if (
          !over.contains(node) &&
          layer === null &&
          !node.parentElement!.closest('.veil__veil, dialog') &&
          (row?.contains(node) || (!row && node.parentElement!.closest('.felt__phase'))) &&
          Math.min(box[2], right) - Math.max(box[0], left) > 2 &&
          Math.min(box[3], bottom) - Math.max(box[1], top) > 2
        )
          found.add(`${said} over ${over.getAttribute('aria-label') ?? 'a card'}`);
    }
    for (const [at, one] of texts.entries())
      for (const other of texts.slice(at + 1))
        if (
          one.node !== other.node &&
          one.layer === other.layer &&
          Math.min(one.box[2], other.box[2]) - Math.max(one.box[0], other.box[0]) > 1 &&
          Math.min(one.box[3], other.box[3]) - Math.max(one.box[1], other.box[1]) > 1
        )
          found.add(`${one.said} over ${other.said}`);
    return [...found].slice(0, 5);
  });

/** Texts of a card table that a box around them hides a part of: names of seats, of bets and of hands, what they pay. Strips and hashes scroll or are copied. */
export const cutAtTable = (on: Page): Promise<string[]> =>
  on.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.querySelector('#main')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const part = node.parentElement!;
      if (!node.textContent!.trim() || part.closest('svg, .sr, .results__results, .table__mono')) continue;
      if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      for (let up: Element | null = part; up && up.id !== 'main'; up = up.parentElement) {
        const { overflowX } = getComputedStyle(up);
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        if (overflowX === 'visible') continue;
        const { left, right } = up.getBoundingClientRect();
        if (lines.some((line) => line.left < left - 1 || line.right > right + 1))
          found.push(`${part.tagName}.${part.className} "${node.textContent!.trim().slice(0, 24)}" is cut`);
      }
    }
    return [...new Set(found)].slice(0, 5);
  });

/** What reaches over the right edge of the page. Live grids may scroll inside themselves. */
export const overflow = (on: Page): Promise<string> =>
  on.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const over = document.documentElement.scrollWidth - width;
    if (over <= 0) return '';
    const wide = [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((part) => part.getBoundingClientRect().right > width + 0.5 && getComputedStyle(part).position !== 'fixed')
      .map((part) => `${part.tagName}.${part.className}`)
      .slice(-4);
    return `${over} px: ${wide.join(', ')}`;
  });
