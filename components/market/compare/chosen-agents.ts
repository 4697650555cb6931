'use client';

import { useSyncExternalStore } from 'react';
import { readSessionItem, setSessionItem } from '../../ui/controls/session-storage';
import { maxCompared } from './compare-url';

/** An agent that is chosen for comparison. */
export interface ChosenAgent {
  slug: string;
  name: string;
}

const key = 'compare';
const none: ChosenAgent[] = [];
const listeners = new Set<() => void>();
/** The stored text with its parsed value, so that an unchanged text yields the same array. */
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
export function chooseAgents(agents: ChosenAgent[]): void {
  setSessionItem(key, agents.length > 0 ? JSON.stringify(agents) : null);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The agents that are chosen in this tab; none while the page is rendered on the server. */
export function useChosenAgents(): ChosenAgent[] {
  return useSyncExternalStore(subscribe, read, () => none);
}
