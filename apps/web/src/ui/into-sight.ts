/**
 * Scrolls the box that a part stands in until the part is in sight, and nothing around that box: the page stays where its
 * reader has it, which `scrollIntoView` does not promise.
 */
export function intoSight(part: Element): void {
  const box = scrollerOf(part);
  if (!box) return;
  const at = part.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  const above = at.top - Math.max(frame.top, 0);
  const below = at.bottom - Math.min(frame.bottom, window.innerHeight);
  if (above < 0) box.scrollTop += above;
  else if (below > 0) box.scrollTop += below;
}

function scrollerOf(part: Element): Element | null {
  for (let box = part.parentElement; box && box !== document.body; box = box.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return null;
}
