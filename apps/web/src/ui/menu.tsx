import { Menu as Base } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Icon, type IconShape } from './icon.tsx';

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

/** A menu of places and actions under its trigger. */
export function Menu({
  trigger,
  label,
  head,
  items,
}: {
  trigger: ReactElement;
  label: string;
  head?: ReactNode;
  items: readonly MenuItem[];
}) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  return (
    <Base.Root open={open} onOpenChange={setOpen} modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="pop-layer" sideOffset={6} align="end" collisionPadding={8}>
          <Base.Popup className="pop pop--menu" aria-label={label}>
            {head && <div className="pop__h">{head}</div>}
            {items.map((item) => {
              const className = item.apart ? 'pop__r pop__sep' : 'pop__r';
              const body = (
                <>
                  {item.icon && <Icon of={item.icon} size={17} />}
                  <span className="grow clip">{item.label}</span>
                  {item.end}
                </>
              );
              if (item.to === undefined) {
                return (
                  <Base.Item key={item.id} className={className} onClick={item.onPress}>
                    {body}
                  </Base.Item>
                );
              }
              const to = item.to;
              return (
                <Base.LinkItem
                  key={item.id}
                  className={className}
                  href={to}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                    event.preventDefault();
                    setOpen(false);
                    void navigate(to);
                  }}
                >
                  {body}
                </Base.LinkItem>
              );
            })}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
