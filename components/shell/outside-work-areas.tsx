'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { routes } from './routes';

const workAreas = [routes.console, routes.chat, routes.settings, routes.orders, routes.moderation];

/** Shows its children except in work areas, where people have chosen the product already: no footer follows the work. */
export function OutsideWorkAreas({ children }: { children: ReactNode }): ReactNode {
  const path = usePathname();
  return workAreas.some((area) => path === area || path.startsWith(`${area}/`)) ? null : children;
}
