import type { ReactNode } from 'react';
import { NavLink } from '../shell/nav-link';
import { routes } from '../shell/routes';

const places = [
  { href: routes.profile, text: 'Profile' },
  { href: routes.publisher, text: 'Publisher' },
  { href: routes.password, text: 'Password' },
  { href: routes.sessions, text: 'Sessions' },
  { href: routes.accessTokens, text: 'Access tokens' },
  { href: routes.connectedAgents, text: 'Agents' },
  { href: routes.payments, text: 'Payments' },
  { href: routes.notifications, text: 'Notifications' },
  { href: routes.activity, text: 'Activity' },
  { href: routes.ownData, text: 'Your data' },
];

/** The pages of a person's own account, side by side. */
export function SettingsFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="page-x grid gap-x-12 gap-y-6 py-8 md:grid-cols-[11rem_minmax(0,1fr)] md:py-12">
      <nav aria-label="Settings" className="-mx-2.5 flex flex-wrap gap-1 md:flex-col md:flex-nowrap">
        {places.map(({ href, text }) => (
          <NavLink href={href} key={href} look="row">
            {text}
          </NavLink>
        ))}
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
