import { log } from '../platform/runtime/log';
import type { EmbeddingsFailure } from './embedder';
import { embedders } from './embedders';
import { runnableModels, searchableModels } from './models';
import type { SearchModeView } from './schema';
import { selectProgress } from './store/model-rows';

interface Outcomes {
  /** The last failure of each model; absent while it works. */
  failures: Map<string, EmbeddingsFailure>;
  searches: { compared: number; failed: number };
}

const outcomes: Outcomes = {
  failures: new Map(),
  searches: { compared: 0, failed: 0 },
};

/** Records the success or failure of a model for the vector of a search. Logs changes. */
export function recordOutcome(model: string, failure: EmbeddingsFailure | null): void {
  const { failures, searches } = outcomes;
  if (failure) searches.failed += 1;
  else searches.compared += 1;
  if (failures.get(model) === (failure ?? undefined)) return;
  if (failure) {
    failures.set(model, failure);
    log.warn('embeddings.unavailable', { model, reason: failure });
  } else {
    failures.delete(model);
    log.info('embeddings.available', { model });
  }
}

/** Counts the searches of this node whose meaning was compared, and those for which no vector could be computed. */
export function countSearches(): { compared: number; failed: number } {
  return outcomes.searches;
}

/** Returns the current search mode of this node. */
export async function getSearchMode(): Promise<SearchModeView> {
  if (embedders().length === 0) return { mode: 'words', model: null, reason: 'off', filling: null };
  const models = await searchableModels();
  const working = models.find(({ name }) => !outcomes.failures.has(name));
  const filled = (await runnableModels()).find(({ state }) => state === 'filling');
  const filling = filled ? { model: filled.name, share: await shareOf(filled.id) } : null;
  if (working) return { mode: 'meaning', model: working.name, reason: null, filling };
  return { mode: 'words', model: null, reason: models.length > 0 ? 'failing' : 'filling', filling };
}

async function shareOf(model: number): Promise<number> {
  const { agents, due } = await selectProgress(model);
  return agents === 0 ? 1 : Math.max(0, 1 - due / agents);
}
