import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useNavigate } from '../platform/routing.tsx';
import { cx } from './cx.ts';
import { Icon, type IconShape } from './icon.tsx';
import css from './popover.module.css';

export type MenuItem = {
  id: string;
  label: string;
  icon?: IconShape;
  /** A place in the product; else `onPress`. */
  to?: string | undefined;
  onPress?: (() => void) | undefined;
  end?: ReactNode;
  /** A line above it. */
  apart?: boolean;
};

/** The entries of a menu. Arrows, Home, End and first letters move. */
export function MenuList({
  label,
  head,
  items,
  close,
}: {
  label: string;
  head?: ReactNode;
  items: readonly MenuItem[];
  close: () => void;
}) {
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];

  // The focus goes in once, when it opens, and before a key can be pressed into it.
  useLayoutEffect(() => list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus(), []);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const last = all.length - 1;
    let next: number | undefined = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Tab') return close();
    if (next === undefined && event.key.length === 1 && /\S/.test(event.key)) {
      const letter = event.key.toLowerCase();
      const ahead = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      next = all.indexOf(ahead.find((row) => row.textContent?.trim().toLowerCase().startsWith(letter)) ?? all[at]!);
    }
    if (next === undefined) return;
    event.preventDefault();
    all[next]?.focus();
  };

  const press = (item: MenuItem) => {
    close();
    if (item.to !== undefined) void navigate(item.to);
    else item.onPress?.();
  };

  return (
    <>
      {head && <div className={css.head}>{head}</div>}
      <div ref={list} role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
        {items.map((item) => (
          <Row key={item.id} item={item} onPress={press} />
        ))}
      </div>
    </>
  );
}

function Row({ item, onPress }: { item: MenuItem; onPress: (item: MenuItem) => void }) {
  const className = cx(css.choice, item.apart && css.apart);
  const body = (
    <>
      {item.icon && <Icon of={item.icon} size={17} />}
      <span className="grow clip">{item.label}</span>
      {item.end}
    </>
  );
  if (item.to === undefined) {
    return (
      <button type="button" role="menuitem" tabIndex={-1} className={className} onClick={() => onPress(item)}>
        {body}
      </button>
    );
  }
  return (
    <a
      role="menuitem"
      tabIndex={-1}
      className={className}
      href={item.to}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onPress(item);
      }}
    >
      {body}
    </a>
  );
}
