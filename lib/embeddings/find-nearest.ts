import { errorFields, log } from '../platform/runtime/log';
import { type Embedder, EmbeddingsError, type Translate } from './embedder';
import { embedders } from './embedders';
import { GROWING_SAMPLE_TTL_MS, SAMPLE_TTL_MS, SAMPLED_VECTORS } from './limits';
import { type RunnableModel, searchableModels, vectorIndex } from './models';
import { recordOutcome } from './status';
import { selectPacked, selectSample } from './store/vectors';
import { type AgentCondition, type NearestPart, packedCosine } from './vector-index';

/**
 * Why meanings were not compared: search by meaning is disabled, no vector could be computed, or no model supports the
 * text.
 */
export type NotCompared = 'off' | 'unavailable' | 'skipped';

export interface NearestSearch {
  text: string;
  translate: Translate;
  /**
   * Corrects the spelling of English text. Not called for a translation, or for a model that supports every language.
   */
  correct(text: string): string;
  /** `embedding_model.id` of the first page; null for the active model or, if that fails, another one. */
  model: number | null;
  where: AgentCondition | null;
  limit: number;
}

/** The parts nearest to a search text, and the vector with which they were compared. */
export interface Nearest {
  model: number;
  vector: Float32Array;
  parts: NearestPart[];
}

/** Finds the parts of public agents whose meaning is nearest to a text. Never throws for a failed model. */
export async function findNearest(search: NearestSearch): Promise<Nearest | NotCompared> {
  if (embedders().length === 0) return 'off';
  const models = (await searchableModels()).filter(({ id }) => search.model === null || id === search.model);
  let outcome: NotCompared = 'unavailable';
  for (const model of models) {
    const vector = await embedSearch(search, model);
    if (typeof vector !== 'string') {
      const { where, limit } = search;
      return { model: model.id, vector, parts: await vectorIndex().nearest({ vector, model: model.id, where, limit }) };
    }
    outcome = vector;
  }
  return outcome;
}

async function embedSearch(
  search: NearestSearch,
  { name, dims, embedder }: RunnableModel,
): Promise<Float32Array | NotCompared> {
  const text = readableText(search, embedder);
  if (text === null) return 'skipped';
  try {
    const vector = await embedder.embedQuery(text);
    if (vector && vector.length !== dims)
      throw new EmbeddingsError('invalid_response', `Expected ${dims} numbers, found ${vector.length}.`);
    recordOutcome(name, null);
    return vector ?? 'skipped';
  } catch (error) {
    if (!(error instanceof EmbeddingsError)) throw error;
    recordOutcome(name, error.reason);
    log.debug('embeddings.query_failed', { model: name, ...errorFields(error) });
    return 'unavailable';
  }
}

/** Returns the text in a language that the model supports; null if it cannot be translated. */
function readableText({ text, translate, correct }: NearestSearch, { language }: Embedder): string | null {
  if (language === 'any') return text;
  const english = translate(text);
  return english === text ? correct(text) : english;
}

/** Returns the nearest part of each of these agents that has vectors. */
export async function nearestPartsOf(
  agentIds: string[],
  { model, vector }: Pick<Nearest, 'model' | 'vector'>,
): Promise<NearestPart[]> {
  if (agentIds.length === 0) return [];
  const parts = (await selectPacked(model, agentIds)).map(({ agentId, part, packed }) => ({
    agentId,
    part,
    cosine: packedCosine(vector, packed),
  }));
  return nearestByAgent(parts);
}

interface Sample {
  vectors: { agentId: string; packed: Uint8Array }[];
  /** Of `performance.now()`. */
  validUntil: number;
}

const samples = new Map<number, Sample>();

/** Returns the cosines of a search text with a random sample of the catalog, at most {@link SAMPLED_VECTORS} vectors. */
export async function sampleCosines({
  model,
  vector,
}: Pick<Nearest, 'model' | 'vector'>): Promise<{ agentId: string; cosine: number }[]> {
  const { vectors } = await sampleOf(model);
  return vectors.map(({ agentId, packed }) => ({ agentId, cosine: packedCosine(vector, packed) }));
}

async function sampleOf(model: number): Promise<Sample> {
  const known = samples.get(model);
  if (known && performance.now() < known.validUntil) return known;
  const vectors = await selectSample(model, SAMPLED_VECTORS);
  const lifetime = vectors.length < SAMPLED_VECTORS ? GROWING_SAMPLE_TTL_MS : SAMPLE_TTL_MS;
  const sample = { vectors, validUntil: performance.now() + lifetime };
  samples.set(model, sample);
  return sample;
}

/** Returns the nearest part of each agent, in the order of the agents' first parts. */
export function nearestByAgent(parts: NearestPart[]): NearestPart[] {
  const nearest = new Map<string, NearestPart>();
  for (const part of parts) {
    if (part.cosine > (nearest.get(part.agentId)?.cosine ?? Number.NEGATIVE_INFINITY)) nearest.set(part.agentId, part);
  }
  return [...nearest.values()];
}
