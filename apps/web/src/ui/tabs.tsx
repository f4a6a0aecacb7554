import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Count } from './badge.tsx';
import { cx } from './cx.ts';
import { Icon, type IconShape } from './icon.tsx';
import { IconChevronLeft, IconChevronRight } from './icons.ts';
import checkboxCss from './checkbox.module.css';
import marketCss from './market.module.css';
import css from './tabs.module.css';

export type TabItem<T extends string = string> = {
  id: T;
  label: string;
  icon?: IconShape | undefined;
  /** Any drawing instead of an icon, such as a SportIcon. */
  mark?: ReactNode;
  count?: number | undefined;
  /** Id of the panel it controls, where there is one. */
  panelId?: string;
};

/** Each with all that is known of it, or, where the set is fixed and has only words, the words by id in their order. */
type Items<T extends string> = ReadonlyArray<TabItem<T>> | Readonly<Record<T, string>>;

type Props<T extends string> = {
  items: Items<T>;
  value: T;
  onChange: (id: T) => void;
  label: string;
};

/** Tabs of a panel. Arrow keys, Home and End move; one tab stop. */
export function Tabs<T extends string>({ fill = false, ...props }: Props<T> & { fill?: boolean }) {
  return <TabList {...props} className={cx(css.tabs, fill && css.tabsFill)} />;
}

/** A small switch between views of one panel: 7 days, this period, 90 days. */
export function Segmented<T extends string>(props: Props<T>) {
  return <TabList {...props} className={css.switch} />;
}

/** One of a few values of a setting, named before them. Radio buttons, drawn as a switch. */
export function Choice<T extends string>({ items, value, onChange, label }: Props<T>) {
  const name = useId();
  return (
    <fieldset className={checkboxCss.choice}>
      <legend>{label}</legend>
      <span className={css.switch}>
        {listOf(items).map((item) => (
          <label key={item.id} className={item.id === value ? 'is-on' : undefined}>
            <input type="radio" name={name} checked={item.id === value} onChange={() => onChange(item.id)} />
            {item.label}
          </label>
        ))}
      </span>
    </fieldset>
  );
}

/**
 * The strip of sports on the landing screen; icons above words on a phone. Where it is longer than its place an arrow at
 * each end goes on, for pointers; keys and screen readers have the tabs themselves.
 */
export function Strip<T extends string>(props: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const more = useMore(box, listOf(props.items).length);
  const go = (way: 1 | -1) => {
    const list = box.current?.querySelector('[role=tablist]');
    list?.scrollBy({ left: (document.dir === 'rtl' ? -way : way) * list.clientWidth * 0.7, behavior: 'smooth' });
  };
  return (
    <div
      ref={box}
      className={marketCss.strip}
      data-before={more.before || undefined}
      data-after={more.after || undefined}
    >
      <TabList {...props} className={marketCss.sports} strip />
      {more.before && <Arrow icon={IconChevronLeft} className={marketCss.stripArrow} onClick={() => go(-1)} />}
      {more.after && (
        <Arrow
          icon={IconChevronRight}
          className={cx(marketCss.stripArrow, marketCss.stripArrowEnd)}
          onClick={() => go(1)}
        />
      )}
    </div>
  );
}

function Arrow({ icon, className, onClick }: { icon: IconShape; className: string; onClick: () => void }) {
  return (
    <button type="button" className={className} tabIndex={-1} aria-hidden="true" onClick={onClick}>
      <Icon of={icon} size={18} />
    </button>
  );
}

/** Whether the list in the box goes on before and after what is in sight. */
function useMore(box: RefObject<HTMLElement | null>, count: number): { before: boolean; after: boolean } {
  const [more, setMore] = useState({ before: false, after: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab that came is looked at too
  useEffect(() => {
    const list = box.current?.querySelector('[role=tablist]');
    if (!list) return;
    const look = () => {
      // From right to left it counts down from nought.
      const gone = Math.abs(list.scrollLeft);
      const before = gone > 1;
      const after = gone + list.clientWidth < list.scrollWidth - 1;
      setMore((held) => (held.before === before && held.after === after ? held : { before, after }));
    };
    list.addEventListener('scroll', look, { passive: true });
    // Counts and words change its length as a window its place. It looks first of all when that is laid out.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look);
    for (const one of [list, ...list.children]) observer?.observe(one);
    return () => {
      list.removeEventListener('scroll', look);
      observer?.disconnect();
    };
  }, [box, count]);
  return more;
}

function listOf<T extends string>(items: Items<T>): ReadonlyArray<TabItem<T>> {
  if (Array.isArray(items)) return items;
  return Object.entries<string>(items as Record<T, string>).map(([id, label]) => ({ id: id as T, label }));
}

function TabList<T extends string>({
  items: given,
  value,
  onChange,
  label,
  className,
  strip = false,
}: Props<T> & {
  className: string;
  /** Each a picture with its count under it. */
  strip?: boolean;
}) {
  const items = listOf(given);
  const list = useRef<HTMLDivElement>(null);
  const at = items.findIndex((item) => item.id === value);

  // The chosen tab of a strip that scrolls is brought into view, without moving the page.
  useEffect(() => {
    const row = list.current;
    const tab = row?.children[at];
    if (!row || !(tab instanceof HTMLElement) || typeof ResizeObserver === 'undefined') return;
    // Told with the layout that comes anyway: to ask how wide it is here would lay the whole page out once more.
    const laidOut = new ResizeObserver(() => {
      laidOut.disconnect();
      if (row.scrollWidth > row.clientWidth) row.scrollLeft = tab.offsetLeft - row.offsetLeft - 60;
    });
    laidOut.observe(row);
    return () => laidOut.disconnect();
  }, [at]);

  const onKeyDown = (event: KeyboardEvent) => {
    const last = items.length - 1;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at <= 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const item = next === undefined ? undefined : items[next];
    if (!item) return;
    event.preventDefault();
    onChange(item.id);
    (list.current?.children[next!] as HTMLElement | undefined)?.focus();
  };

  return (
    <div className={className} role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          role="tab"
          className={strip ? marketCss.sport : undefined}
          aria-selected={item.id === value}
          aria-controls={item.panelId}
          tabIndex={item.id === value || (at < 0 && item === items[0]) ? 0 : -1}
          onClick={() => onChange(item.id)}
        >
          {item.mark ?? (item.icon && <Icon of={item.icon} size={17} />)}
          {item.label}
          {item.count !== undefined && (strip ? <em>{item.count}</em> : <Count n={item.count} />)}
        </button>
      ))}
    </div>
  );
}
