import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Glyph, type IconProps } from './icons';

// Drawn here instead of in a library, whose icons each add a component, because the chat has a script budget.

export function ArchiveIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4 8v11h16V8M3 4h18v4H3zM10 12h4" />
    </Glyph>
  );
}

export function ArrowDownIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 5v14M6 13l6 6 6-6" />
    </Glyph>
  );
}

export function ArrowLeftIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props} className={clsx('rtl:-scale-x-100', props.className)}>
      <path d="M19 12H5M11 6l-6 6 6 6" />
    </Glyph>
  );
}

export function ArrowUpIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 19V5M6 11l6-6 6 6" />
    </Glyph>
  );
}

export function ChevronRightIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props} className={clsx('rtl:-scale-x-100', props.className)}>
      <path d="m9 6 6 6-6 6" />
    </Glyph>
  );
}

export function ComposeIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M11 5H5v14h14v-6M9.5 14.5l.7-3L18 3.8a1.6 1.6 0 0 1 2.3 2.3l-7.8 7.7z" />
    </Glyph>
  );
}

export function DocumentIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M6 3h8l4 4v14H6zM14 3v4h4M9 13h6M9 17h6" />
    </Glyph>
  );
}

export function FileIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M6 3h8l4 4v14H6zM14 3v4h4" />
    </Glyph>
  );
}

export function FilesIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M9 3h7l4 4v10H9zM16 3v4h4M5 8v13h10" />
    </Glyph>
  );
}

export function LinkIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M10 14a4 4 0 0 0 6 .4l2.8-2.8A4 4 0 0 0 13.2 6l-1.4 1.3M14 10a4 4 0 0 0-6-.4l-2.8 2.8a4 4 0 0 0 5.6 5.6l1.4-1.3" />
    </Glyph>
  );
}

export function MoreIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="2.5" />
    </Glyph>
  );
}

export function PaperclipIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="m20 11.5-8.3 8.3a5 5 0 0 1-7-7l8.5-8.6a3.4 3.4 0 0 1 4.8 4.8L9.5 17.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8" />
    </Glyph>
  );
}

export function PencilIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19zM14.5 6.5l3 3" />
    </Glyph>
  );
}

export function PinIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 16v5M8 4h8l-1 7 3 3v2H6v-2l3-3z" />
    </Glyph>
  );
}

export function SidebarIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM9 4v16" />
    </Glyph>
  );
}

export function StopIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M6 6h12v12H6z" />
    </Glyph>
  );
}

export function TrashIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5" />
    </Glyph>
  );
}

export function DownloadIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 4v11M7 11l5 5 5-5M5 20h14" />
    </Glyph>
  );
}

export function RetryIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M4.5 12a7.5 7.5 0 1 0 2.4-5.5L4 9M4 4v5h5" />
    </Glyph>
  );
}

export function ShareIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M12 15V4M8 7.5 12 4l4 3.5M6 11H5v9h14v-9h-1" />
    </Glyph>
  );
}

export function ThumbDownIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M17 4v9l-4 7a2 2 0 0 1-2-2v-4H5.6a1.6 1.6 0 0 1-1.6-1.9l1.2-6.5A2 2 0 0 1 7.2 4zM17 4h3v9h-3" />
    </Glyph>
  );
}

export function ThumbUpIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M7 20v-9l4-7a2 2 0 0 1 2 2v4h5.4a1.6 1.6 0 0 1 1.6 1.9l-1.2 6.5A2 2 0 0 1 16.8 20zM7 20H4v-9h3" />
    </Glyph>
  );
}

export function TraceIcon(props: IconProps): ReactNode {
  return (
    <Glyph {...props}>
      <path d="M8 8 4 12l4 4M16 8l4 4-4 4M13.5 5.5l-3 13" />
    </Glyph>
  );
}
