'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Button, IconButton, LinkButton } from '../../ui/controls/button';
import { readSessionItem, setSessionItem } from '../../ui/controls/session-storage';
import { CloseIcon } from '../../ui/display/icons';
import { announce } from '../../ui/overlays/announcer';
import { compareForm, comparePath, maxCompared } from './compare-url';

/** The agents that are selected for comparison, at the bottom of the window. Hidden if there are none. */
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

/** Selects an agent for comparison. Without JavaScript, it is a checkbox of the page's form. */
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

/** An agent that is chosen for comparison. */
interface ChosenAgent {
  slug: string;
  name: string;
}

const key = 'compare';
const none: ChosenAgent[] = [];
const listeners = new Set<() => void>();
/** The stored text with its parsed value, so that an unchanged text results in the same array. */
let last: { text: string | null; agents: ChosenAgent[] } = { text: null, agents: none };

function read(): ChosenAgent[] {
  const text = readSessionItem(key);
  if (text !== last.text) last = { text, agents: parse(text) };
  return last.agents;
}

function parse(text: string | null): ChosenAgent[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isChosen).slice(0, maxCompared) : none;
  } catch {
    return none;
  }
}

function isChosen(value: unknown): value is ChosenAgent {
  const { slug, name } = (value ?? {}) as Partial<ChosenAgent>;
  return typeof slug === 'string' && typeof name === 'string';
}

/** Replaces the chosen agents of this tab. */
function chooseAgents(agents: ChosenAgent[]): void {
  setSessionItem(key, agents.length > 0 ? JSON.stringify(agents) : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the agents that are selected in this tab; none while the page is rendered on the server. */
function useChosenAgents(): ChosenAgent[] {
  return useSyncExternalStore(subscribe, read, () => none);
}
