'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, IconButton, LinkButton } from '../../ui/controls/button';
import { CloseIcon } from '../../ui/display/icons';
import { chooseAgents, useChosenAgents } from './chosen-agents';
import { comparePath, maxCompared } from './compare-url';

/** The agents that are chosen for comparison, at the bottom of the window; hidden if there are none. */
export function CompareBar(): ReactNode {
  const t = useTranslations('market.compareBar');
  const chosen = useChosenAgents();
  if (chosen.length === 0) return null;
  return (
    <aside
      aria-label={t('label')}
      className="sticky bottom-3 z-20 mt-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line-strong bg-surface p-2 ps-4 shadow-pop"
      data-compare-bar
    >
      <ul className="flex min-w-0 flex-1 basis-64 flex-wrap items-center gap-x-3 gap-y-1">
        {chosen.map(({ slug, name }) => (
          <li className="flex min-w-0 max-w-full items-center gap-0.5 text-sm" key={slug}>
            <bdi className="max-w-44 truncate font-medium">{name}</bdi>
            <IconButton
              label={t('remove', { name })}
              onClick={() => chooseAgents(chosen.filter((agent) => agent.slug !== slug))}
              size="sm"
            >
              <CloseIcon size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-2 max-sm:w-full">
        <Button onClick={() => chooseAgents([])} tone="quiet">
          {t('clear')}
        </Button>
        {chosen.length > 1 ? (
          <LinkButton className="max-sm:flex-1" href={comparePath(chosen.map(({ slug }) => slug))} tone="primary">
            {t('compare', { count: chosen.length })}
          </LinkButton>
        ) : (
          <p className="px-2 text-sm text-muted">{t('more', { max: maxCompared })}</p>
        )}
      </div>
    </aside>
  );
}
