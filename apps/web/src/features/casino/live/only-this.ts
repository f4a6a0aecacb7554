import css from '../../../ui/shell.module.css';

/**
 * Gives the whole window to one element of the page: everything beside it is inert and the page does not scroll, until the
 * returned function takes it back. Dialogs and messages stand outside of `.page` and stay as they are.
 */
export function onlyThis(element: HTMLElement): () => void {
  const quiet: Element[] = [];
  for (let at: Element | null = element; at && !at.classList.contains(css.page); at = at.parentElement) {
    for (const other of at.parentElement?.children ?? []) {
      if (other === at || other.hasAttribute('inert')) continue;
      other.setAttribute('inert', '');
      quiet.push(other);
    }
    if (at === document.body) break;
  }
  document.documentElement.classList.add('has-game');
  return () => {
    for (const other of quiet) other.removeAttribute('inert');
    document.documentElement.classList.remove('has-game');
  };
}
