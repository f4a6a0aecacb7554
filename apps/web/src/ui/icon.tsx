import type { ComponentType, SVGProps } from 'react';

export type IconShape = ComponentType<
  Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number; stroke?: number | string }
>;

/** One icon, always decoration: the control or text beside it carries the words. */
export function Icon({
  of: Shape,
  size = 18,
  className,
}: {
  of: IconShape;
  size?: number;
  className?: string | undefined;
}) {
  return (
    <Shape
      size={size}
      stroke={1.75}
      className={className ? `ic ${className}` : 'ic'}
      aria-hidden="true"
      focusable="false"
    />
  );
}
