import type { SVGProps } from 'react';

/** Badminton: the icon set has no shuttlecock, so this one is drawn for us in the same manner. */
export function ShuttleIcon({
  size = 24,
  stroke = 2,
  ...rest
}: Omit<SVGProps<SVGSVGElement>, 'stroke'> & { size?: number; stroke?: number | string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      <path d="M9.5 14.5a3.5 3.5 0 1 0-5 5 3.5 3.5 0 0 0 5-5" />
      <path d="M4.6 14.4L9 4l3.5 2.5L15 4l1.5 3.5L20 9l-2.5 2.5L20 15 9.6 19.4" />
      <path d="M9.5 14.5L12.5 6.5M9.5 14.5L17.5 11.5M9.5 14.5L16.5 7.5" />
    </svg>
  );
}
