'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { announce } from '../../ui/overlays/announcer';
import { type ChosenAgent, chooseAgents, useChosenAgents } from './chosen-agents';
import { compareForm, maxCompared } from './compare-url';

/** Chooses an agent for comparison. Without JavaScript it is a checkbox of the form of the page. */
export function CompareToggle({ slug, name }: ChosenAgent): ReactNode {
  const t = useTranslations('market.compareToggle');
  const chosen = useChosenAgents();
  const isChosen = chosen.some((agent) => agent.slug === slug);
  const isFull = !isChosen && chosen.length >= maxCompared;

  function toggle(): void {
    if (isFull) {
      announce(t('full', { max: maxCompared }));
      return;
    }
    const next = isChosen ? chosen.filter((agent) => agent.slug !== slug) : [...chosen, { slug, name }];
    chooseAgents(next);
    announce(t('announced', { count: next.length, max: maxCompared }));
  }

  return (
    <label
      className={clsx(
        'relative z-10 -mx-1 inline-flex min-h-8 items-center gap-2 rounded-sm px-1 text-sm touch:min-h-11',
        isFull ? 'cursor-not-allowed text-muted opacity-70' : 'cursor-pointer hover:text-accent',
      )}
      title={isFull ? t('full', { max: maxCompared }) : undefined}
    >
      <input
        aria-disabled={isFull || undefined}
        checked={isChosen}
        className="size-4 accent-accent touch:size-5"
        form={compareForm}
        name="agents"
        onChange={toggle}
        type="checkbox"
        value={slug}
      />
      {t.rich('compare', { name, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
    </label>
  );
}
