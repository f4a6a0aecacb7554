import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

/** A box anchored to its trigger. It does not trap focus; Esc and a press outside close it. */
export function Popover({
  trigger,
  label,
  title,
  end,
  open,
  onOpenChange,
  className,
  align = 'end',
  children,
}: {
  trigger: ReactElement;
  label: string;
  title?: ReactNode;
  end?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
}) {
  return (
    <Base.Root
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange: (next: boolean) => onOpenChange(next) })}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="pop-layer" sideOffset={6} align={align} collisionPadding={8}>
          <Base.Popup className={className ? `pop ${className}` : 'pop'} aria-label={label}>
            {title && (
              <div className="pop__h">
                <b>{title}</b>
                {end}
              </div>
            )}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
