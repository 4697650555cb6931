'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { routes } from '../routes';
import { LinkPending } from '../ui/controls/link-pending';

// Parts of the shell that depend on the path, in one file, so that every page loads the same script.

export interface NavLinkProps {
  href: string;
  /** `bar` in the header, `row` in a menu or a sidebar. */
  variant?: 'bar' | 'row';
  /** The path prefix for which the link is current, by default `href`. */
  within?: string;
  children: ReactNode;
}

const styles = {
  bar: 'inline-flex min-h-10 items-center rounded-md px-3 text-sm font-medium touch:min-h-11',
  row: 'flex min-h-10 items-center gap-2.5 rounded-md px-2.5 text-sm touch:min-h-11',
};

/**
 * A navigation link that marks itself as current in its section, and scrolls into view if its row scrolls horizontally.
 */
export function NavLink({ href, variant = 'bar', within = href, children }: NavLinkProps): ReactNode {
  const path = usePathname();
  const here = path === href || path.startsWith(`${within}/`);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (here && link.current) center(link.current);
  }, [here]);
  return (
    <Link
      aria-current={path === href ? 'page' : here ? 'true' : undefined}
      className={clsx(styles[variant], here ? 'bg-sunken text-ink' : 'text-muted hover:bg-sunken hover:text-ink')}
      href={href}
      prefetch={false}
      ref={link}
    >
      {children}
      <LinkPending />
    </Link>
  );
}

/** Scrolls the row of a link sideways, never the page. */
function center(link: HTMLElement): void {
  const row = link.parentElement;
  if (!row || row.scrollWidth <= row.clientWidth) return;
  const [inner, outer] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}

const workAreas = [routes.console, routes.chat, routes.settings, routes.orders, routes.moderation];

/** Renders its children except in work areas, which have no footer. */
export function OutsideWorkAreas({ children }: { children: ReactNode }): ReactNode {
  const path = usePathname();
  return workAreas.some((area) => path === area || path.startsWith(`${area}/`)) ? null : children;
}
