import type { ReactNode } from 'react';
import { Glyph } from '../../../ui/display/icons';

/** The icons of the catalog. Those without a drawing, and an agent's own, are not displayed. */
const paths: Readonly<Record<string, string>> = {
  accountCircle:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6M6 18.5c1.5-2.3 3.6-3.3 6-3.3s4.5 1 6 3.3',
  add: 'M12 5v14M5 12h14',
  arrowBack: 'M19 12H5M11 6l-6 6 6 6',
  arrowForward: 'M5 12h14M13 6l6 6-6 6',
  attachFile: 'M8 12.5l6-6a3 3 0 0 1 4.3 4.3l-8 8a5 5 0 0 1-7-7L11 4',
  calendarToday: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  call: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a1 1 0 0 1-1 1A16 16 0 0 1 4 5a1 1 0 0 1 1-1',
  camera: 'M4 8h4l2-3h4l2 3h4v11H4zM12 10.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  error: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 8v5M12 16v.5',
  event: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M13 14h3v3h-3z',
  favorite: 'M12 20S4 15 4 9.5A4 4 0 0 1 12 8a4 4 0 0 1 8 1.5C20 15 12 20 12 20z',
  folder: 'M3 6h6l2 2h10v11H3z',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.5',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 11v5.5M12 7.5V8',
  locationOn: 'M12 21s7-6.5 7-11.5a7 7 0 0 0-14 0C5 14.5 12 21 12 21zM12 7.5a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6',
  lock: 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3',
  mail: 'M3 6h18v13H3zM3 7l9 6 9-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  notifications: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  pause: 'M8 5v14M16 5v14',
  payment: 'M3 6h18v12H3zM3 10h18M6 14.5h4',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
  phone: 'M8 3h8v18H8zM11 18h2',
  photo: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 8.5h.5',
  play: 'M8 5l11 7-11 7z',
  refresh: 'M20 6v5h-5M19.5 11a8 8 0 1 0 .5 3',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15.5 15.5L20 20',
  send: 'M4 12l16-8-6 16-3-6.5z',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1',
  share: 'M12 15V4M8 8l4-4 4 4M5 12v8h14v-8',
  shoppingCart: 'M3 4h3l2.5 11h10L21 7H7M10 19.5v.5M17 19.5v.5',
  star: 'M12 4l2.5 5.2 5.5.8-4 4 1 5.7-5-2.8-5 2.8 1-5.7-4-4 5.5-.8z',
  stop: 'M6 6h12v12H6z',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  visibility: 'M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17v.5',
};

/** An icon of the catalog, decorative unless the agent names it. */
export function SurfaceIcon({ name, label }: { name: string; label: string }): ReactNode {
  const path = Object.hasOwn(paths, name) ? paths[name] : undefined;
  if (!path) return label === '' ? null : <span dir="auto">{label}</span>;
  const glyph = (
    <Glyph className="shrink-0" size={18}>
      <path d={path} />
    </Glyph>
  );
  return label === '' ? (
    glyph
  ) : (
    <span aria-label={label} role="img">
      {glyph}
    </span>
  );
}
