'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { routes } from '../../routes';
import { NavLink } from '../../shell/current-path';
import { ArrowRightIcon } from '../../ui/display/icons';
import { type SettingsGroup, settingsGroupNames, settingsGroups, settingsPath } from './settings-groups';

/**
 * Links to the groups of settings and, below the current one, to its sections: a column that stays in view. On phones,
 * a link to the list of groups.
 */
export function SettingsNav(): ReactNode {
  const t = useTranslations('account.settingsFrame');
  const path = usePathname();
  return (
    <nav
      aria-label={t('settings')}
      className="md:sticky md:-mx-3 md:px-3 md:top-[calc(var(--header-height)+2rem)] md:max-h-[calc(100dvh-var(--header-height)-3rem)] md:self-start md:overflow-y-auto"
    >
      <Link
        className="inline-flex min-h-9 items-center gap-1.5 text-sm text-muted hover:text-ink md:hidden touch:min-h-11"
        href={routes.settings}
      >
        <ArrowRightIcon className="rotate-180" size={15} />
        {t('settings')}
      </Link>
      <ul className="-mx-2.5 flex flex-col gap-1 py-0.5 max-md:hidden">
        {settingsGroupNames.map((group) => (
          <li key={group}>
            <NavLink href={settingsPath(group)} variant="row">
              {t(`groups.${group}`)}
            </NavLink>
            {path === settingsPath(group) ? <Sections group={group} key={group} /> : null}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The sections of the page. Plain links, because with them browsers move the focus to the heading. */
function Sections({ group }: { group: SettingsGroup }): ReactNode {
  const t = useTranslations('account.settingsFrame');
  const read = useReadSection(settingsGroups[group]);
  useEffect(focusLinkedSection, []);
  return (
    <ul aria-label={t('onPage')} className="my-1 ms-4 border-s border-line">
      {settingsGroups[group].map((section) => (
        <li key={section}>
          <a
            aria-current={read === section ? 'location' : undefined}
            className="-ms-px flex min-h-8 items-center border-s border-transparent ps-3 text-sm text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink touch:min-h-11"
            href={`#${section}`}
          >
            {t(`sections.${section}`)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Moves the focus to the section that the address names, as browsers do when they load a page from the server. */
function focusLinkedSection(): void {
  const isElsewhere = document.activeElement?.closest('input, textarea, select, button, [role=dialog]');
  if (!isElsewhere) document.getElementById(window.location.hash.slice(1))?.focus({ preventScroll: true });
}

/** Distance from the top of the window within which a heading counts as reached, in pixels. */
const reachedBelow = 140;

/**
 * Returns the section that is read: the last one whose heading has reached the top. At the end of the page, where
 * further headings cannot reach it, the section that the address names, if it is in view.
 */
function useReadSection<Name extends string>(sections: readonly Name[]): Name | undefined {
  const [read, setRead] = useState<Name>();
  useEffect(() => {
    function follow(): void {
      const topOf = (id: Name): number => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
      const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const reached = sections.filter((id) => topOf(id) < reachedBelow).at(-1) ?? sections[0];
      const linked = sections.find((id) => `#${id}` === window.location.hash);
      setRead(isAtEnd && linked && topOf(linked) >= 0 ? linked : reached);
    }
    follow();
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('hashchange', follow);
    };
  }, [sections]);
  return read;
}
