import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface IconProps {
  /** Edge length, CSS px. */
  size?: number;
  className?: string;
}

interface GlyphProps extends IconProps {
  children: ReactNode;
}

/**
 * The frame of every glyph: a 24-unit grid, and a stroke of 1.75 in the text color. Hidden from assistive technology.
 */
export function Glyph({ size = 18, className, children }: GlyphProps): ReactNode {
  return (
    <svg
      aria-hidden="true"
      className={className}
      fill="none"
      focusable="false"
      height={size}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="1.75"
      viewBox="0 0 24 24"
      width={size}
    >
      {children}
    </svg>
  );
}

export function MenuIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4 6.5h16M4 12h16M4 17.5h16" />
    </Glyph>
  );
}

/** Server-rendered icons require no script, unlike icon libraries, which are client components. */
export function SearchIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="m20 20-4.9-4.9" />
    </Glyph>
  );
}

export function ArrowRightIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props} className={clsx('rtl:-scale-x-100', props.className)}>
      <path d="M4 12h15.5M13.5 6l6 6-6 6" />
    </Glyph>
  );
}

export function ChevronDownIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="m6 9.5 6 6 6-6" />
    </Glyph>
  );
}

export function CheckIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Glyph>
  );
}

export function CloseIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="m6.5 6.5 11 11m0-11-11 11" />
    </Glyph>
  );
}

export function CopyIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <rect height="11.5" rx="2" width="11.5" x="8.5" y="8.5" />
      <path d="M15.5 5.5v-.2A1.8 1.8 0 0 0 13.7 3.5H5.3A1.8 1.8 0 0 0 3.5 5.3v8.4a1.8 1.8 0 0 0 1.8 1.8h.2" />
    </Glyph>
  );
}

export function ExternalIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M13.5 4.5h6v6M19.5 4.5l-9 9M17.5 14v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8A1.5 1.5 0 0 1 6 6.5h4" />
    </Glyph>
  );
}

export function DownloadIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 4v11m-5-4.5 5 5 5-5M4.5 20h15" />
    </Glyph>
  );
}

export function ShieldIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 3.5 5 6v5.5c0 4.2 2.9 7.2 7 9 4.1-1.8 7-4.8 7-9V6zM9 11.8l2.2 2.2 3.9-4.2" />
    </Glyph>
  );
}

export function CartIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5m-5 4h5" />
    </Glyph>
  );
}

export function StreamIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4 7h9m3 0h4M4 12h4m3 0h9M4 17h11m3 0h2" />
    </Glyph>
  );
}

export function BellIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5zM10 20.5h4" />
    </Glyph>
  );
}

export function InfoIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11.5v4.5m0-8.2v.1" />
    </Glyph>
  );
}

export function WarningIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 4 2.8 19.5h18.4zM12 10v4.5m0 2.4v.1" />
    </Glyph>
  );
}

export function SunIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v1.5m0 15V21M3 12h1.5m15 0H21M5.6 5.6l1.1 1.1m10.6 10.6 1.1 1.1m0-12.8-1.1 1.1M6.7 17.3l-1.1 1.1" />
    </Glyph>
  );
}

export function MoonIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M19.8 14.5A8.3 8.3 0 0 1 9.5 4.2a8.3 8.3 0 1 0 10.3 10.3z" />
    </Glyph>
  );
}

export function SystemIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <rect height="12" rx="1.8" width="17" x="3.5" y="4.5" />
      <path d="M9 20h6m-3-3.5V20" />
    </Glyph>
  );
}

export function FilterIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4 7h16M7 12h10m-7 5h4" />
    </Glyph>
  );
}
