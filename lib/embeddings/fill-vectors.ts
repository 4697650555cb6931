import { subscribe } from '../platform/bus';
import { createRest } from '../platform/runtime/activity';
import { errorFields, log } from '../platform/runtime/log';
import { createWorker, type Worker } from '../platform/runtime/worker';
import { sha256 } from '../platform/secrets/crypto';
import type { CoreCard, CoreSkill } from '../protocol/a2a/core/card';
import { stopBuiltIn } from './built-in/built-in-embedder';
import { EmbeddingsError, type Translate } from './embedder';
import { AGENT_LEASE_MS, AGENTS_PER_BATCH, DUE_POLL_MS, MAX_PART_LENGTH, MAX_PARTS, RETRY_MS } from './limits';
import { FILLING, type RunnableModel, runnableModels } from './models';
import {
  claimDue,
  type DueAgent,
  measureDue,
  type PartVector,
  releaseDue,
  selectHashes,
  selectNextVectors,
  storeVectors,
} from './store/vectors';

let filling: Worker | null = null;

/** Computes the vectors of agents that were listed or changed, and of all agents for a new model, until {@link stopFilling}. */
export function startFilling(translate: Translate): void {
  const rest = createRest({ name: FILLING, nextDue: nextVectors });
  const worker = createWorker<DueAgent>({
    concurrency: AGENTS_PER_BATCH,
    pollMs: DUE_POLL_MS,
    claim: async (limit) => {
      if (!(await rest.isRoundDue())) return [];
      const models = (await runnableModels()).map(({ id }) => id);
      if (models.length === 0) return [];
      const now = new Date();
      return claimDue(models, { now, leaseUntil: new Date(now.getTime() + AGENT_LEASE_MS), limit });
    },
    run: (due, signal) => fillAgent(due, { translate, signal }).finally(rest.wake),
    subscribe: (poll) => [subscribe('agent', '*', rest.waking(poll))],
    onError: (error) => log.warn('embeddings.fill_failed', errorFields(error)),
  });
  filling = worker;
  worker.start();
}

/** Returns the time at which the first vector that this node can compute is due; null if there is none. */
async function nextVectors(): Promise<Date | null> {
  const models = (await runnableModels()).map(({ id }) => id);
  return models.length === 0 ? null : selectNextVectors(models);
}

export async function stopFilling(): Promise<void> {
  await filling?.stop();
  stopBuiltIn();
}

/** Returns the number of missing vectors of this node's models, and the age of the oldest in seconds. */
export async function measureFillBacklog(now: Date): Promise<{ due: number; seconds: number }> {
  const models = (await runnableModels()).map(({ id }) => id);
  return models.length === 0 ? { due: 0, seconds: 0 } : measureDue(models, now);
}

async function fillAgent(
  due: DueAgent,
  { translate, signal }: { translate: Translate; signal: AbortSignal },
): Promise<void> {
  const model = (await runnableModels()).find(({ id }) => id === due.model);
  if (!model) return;
  try {
    await storeVectors(due, await embedChanges(due, { ...model, translate }));
  } catch (error) {
    if (signal.aborted) return;
    await releaseDue(due, new Date(Date.now() + RETRY_MS));
    if (!(error instanceof EmbeddingsError)) throw error;
    log.warn('embeddings.agent_failed', { agentId: due.agentId, model: model.name, reason: error.reason });
  }
}

async function embedChanges(
  { agentId, card }: DueAgent,
  { id, name, dims, embedder, translate }: RunnableModel & { translate: Translate },
): Promise<{ changed: PartVector[]; unchanged: number[] }> {
  const known = await selectHashes(id, agentId);
  const parts = partsOf(card).flatMap(({ part, text }) => {
    const translated = embedder.language === 'any' ? text : translate(text);
    return translated ? [{ part, text: translated, hash: sha256(`${name}\n${translated}`) }] : [];
  });
  const stale = parts.filter(({ part, hash }) => known.get(part) !== hash);
  const vectors = stale.length === 0 ? [] : await embedder.embedDocuments(stale.map(({ text }) => text));
  const changed = stale.flatMap(({ part, hash }, at) => {
    const vector = vectors[at];
    if (!vector) return [];
    if (vector.length !== dims)
      throw new EmbeddingsError('invalid_response', `Expected vectors of ${dims} numbers, found ${vector.length}.`);
    return [{ part, hash, vector }];
  });
  return { changed, unchanged: parts.filter((part) => !stale.includes(part)).map(({ part }) => part) };
}

/** A text of a card that has its own vector. */
interface CardPart {
  /** 0 is the whole card, k is its k-th skill. */
  part: number;
  text: string;
}

/**
 * Returns the texts of a card: one per skill, because the skills of one agent may have nothing in common. A change of
 * this format requires a new revision in the models' names, because vectors of two formats must not be compared.
 */
function partsOf(card: Pick<CoreCard, 'name' | 'description' | 'skills'>): CardPart[] {
  const { name, description, skills } = card;
  const whole = [`${name}. ${description}`, ...skills.map((skill) => `${skill.name}: ${skill.description}`)];
  const texts = [whole.join(' '), ...skills.slice(0, MAX_PARTS - 1).map((skill) => skillText(card, skill))];
  return texts.map((text, part) => ({ part, text: text.slice(0, MAX_PART_LENGTH).trim() }));
}

function skillText({ name, description }: Pick<CoreCard, 'name' | 'description'>, skill: CoreSkill): string {
  const { tags, examples } = skill;
  return `${name}. ${description} ${skill.name}: ${skill.description} ${tags.join(', ')}. ${examples.join(' ')}`;
}
