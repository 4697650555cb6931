import { type WithConnection, withMaintenanceConnection, withReadConnection } from '../platform/db/connections';
import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { readFromPrimary } from '../platform/db/replicas/read-context';
import { wakeWork } from '../platform/runtime/activity';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { type Embedder, EmbeddingsError } from './embedder';
import { embedderNamed, embedders } from './embedders';
import {
  CENTERED_VECTORS,
  MANY_VECTORS,
  MODEL_CACHE_MS,
  PREPARE_RETRY_MS,
  RETIRED_MODEL_MS,
  SMOKE_TEST_AGENTS,
} from './limits';
import { bitsIndex } from './store/bits-index';
import {
  activateModel,
  centerModel,
  deleteRetiredModels,
  type ModelRecord,
  selectModels,
  selectProgress,
  upsertModel,
} from './store/model-rows';
import {
  dropOrphanedIndexes,
  installPgvector,
  type ModelVectors,
  type PgvectorState,
  pgvectorIndex,
  prepareHnswIndex,
} from './store/pgvector-index';
import { prepareLists } from './store/vector-lists';
import { selectNames } from './store/vectors';
import type { NearestPart, NearestQuery, VectorIndex } from './vector-index';

/** A model whose vectors are stored, with the embedder that computes them. */
export interface RunnableModel extends ModelRecord {
  embedder: Embedder;
}

/** The name of the work that computes vectors (fill-vectors.ts). */
export const FILLING = 'embeddings.filling';

interface ModelCache {
  models: ModelRecord[];
  readAt: number;
  isPgvectorAdvised: boolean;
  /** The time at which to prepare the configured model, milliseconds since 1970; null if it is prepared. */
  prepareAt: number | null;
}

const cache: ModelCache = {
  models: [],
  readAt: Number.NEGATIVE_INFINITY,
  isPgvectorAdvised: false,
  prepareAt: 0,
};

/** Returns the models in the database that this node can run. Read at most once per {@link MODEL_CACHE_MS}. */
export async function runnableModels(): Promise<RunnableModel[]> {
  if (performance.now() - cache.readAt > MODEL_CACHE_MS) {
    cache.models = await readFromPrimary(selectModels);
    cache.readAt = performance.now();
  }
  return cache.models.flatMap((model) => {
    const embedder = embedderNamed(model.name);
    return embedder ? [{ ...model, embedder }] : [];
  });
}

/** Returns the models whose vectors are complete, the active one first. The others are used if it fails. */
export async function searchableModels(): Promise<RunnableModel[]> {
  const models = (await runnableModels()).filter(({ state }) => state !== 'filling');
  return models.sort((a, b) => Number(b.state === 'active') - Number(a.state === 'active'));
}

/** Returns the index that searches use. */
export function vectorIndex(): VectorIndex {
  return indexes();
}

const indexes = once((): PreparedIndexes => {
  const bits = bitsIndex((id) => cache.models.find((model) => model.id === id));
  return new PreparedIndexes(bits, { pooled: withReadConnection, maintenance: withMaintenanceConnection });
});

/**
 * Prepares the index of each model that searches use, with pgvector if the database has it. Takes minutes for many
 * vectors.
 */
export async function prepareIndexes(): Promise<void> {
  const models = await searchableModels();
  await indexes().prepare(models.map(({ id, dims }) => ({ model: id, dimensions: dims })));
  const searchedByBits = models.filter(({ id }) => indexes().kindOf(id) === 'bits');
  for (const model of searchedByBits)
    await withMaintenanceConnection((connection) => prepareLists(connection, model.id));
  const [active] = searchedByBits;
  if (active?.state === 'active') await advisePgvector(active);
}

async function advisePgvector({ id, name }: RunnableModel): Promise<void> {
  const { vectors } = await selectProgress(id);
  if (vectors <= MANY_VECTORS || cache.isPgvectorAdvised) return;
  cache.isPgvectorAdvised = true;
  log.warn('embeddings.pgvector_advised', { model: name, vectors });
}

/**
 * Fills the configured model, and activates it when it is filled. Runs once per node: if two nodes are configured
 * differently, the one that started last determines the model. A model that does not respond is retried.
 */
async function prepareConfiguredModel(now: Date): Promise<void> {
  const [configured] = embedders();
  const { prepareAt } = cache;
  if (!configured || prepareAt === null || now.getTime() < prepareAt) return;
  try {
    await upsertModel({ name: configured.name, dims: configured.dims ?? (await findDims(configured)) }, now);
    cache.prepareAt = null;
    cache.readAt = Number.NEGATIVE_INFINITY;
    wakeWork(FILLING);
  } catch (error) {
    if (!(error instanceof EmbeddingsError)) throw error;
    cache.prepareAt = now.getTime() + PREPARE_RETRY_MS;
    log.warn('embeddings.model_unavailable', { model: configured.name, reason: error.reason });
  }
}

async function findDims(embedder: Embedder): Promise<number> {
  const [vector] = await embedder.embedDocuments(['An agent that translates documents']);
  if (!vector) throw new EmbeddingsError('invalid_response', 'The model returned no vector.');
  return vector.length;
}

/**
 * Prepares the configured model, activates models that are filled, centers those with enough vectors, and deletes those
 * retired long ago. Returns the number of models that are not ready yet.
 */
export async function advanceModels(now: Date): Promise<number> {
  await prepareConfiguredModel(now);
  let unready = embedders().length > 0 && cache.prepareAt !== null ? 1 : 0;
  for (const model of await runnableModels()) {
    // Counting all vectors takes long, and a model that is centered and not being filled does not change.
    if (model.mean && model.state !== 'filling') continue;
    if (model.state === 'filling') unready += 1;
    const { due, vectors } = await selectProgress(model.id);
    if (!model.mean && vectors >= CENTERED_VECTORS) await centerModel(model.id, CENTERED_VECTORS);
    if (model.state === 'filling' && due === 0 && (await givesAnswers(model))) {
      await activateModel(model.id, now);
      cache.readAt = Number.NEGATIVE_INFINITY;
      log.info('embeddings.model_activated', { model: model.name, vectors });
    }
  }
  await deleteRetiredModels(new Date(now.getTime() - RETIRED_MODEL_MS));
  return unready;
}

/**
 * Returns true if searches for the names of some agents have results, because a model without results must not become
 * active.
 */
async function givesAnswers({ id, name, embedder }: RunnableModel): Promise<boolean> {
  try {
    for (const text of await selectNames(id, SMOKE_TEST_AGENTS)) {
      const vector = await embedder.embedQuery(text);
      if (vector && (await vectorIndex().nearest({ vector, model: id, limit: 1, where: null })).length > 0) return true;
    }
    // The catalog is empty, or the model does not support it.
    return (await selectNames(id, 1)).length === 0;
  } catch (error) {
    log.warn('embeddings.smoke_test_failed', { model: name, ...errorFields(error) });
    return false;
  }
}

/** Searches models whose index is ready with pgvector, and all others with `fallback`, which needs no preparation. */
export class PreparedIndexes implements VectorIndex {
  private readonly pgvector: VectorIndex;
  private readonly ready = new Set<number>();
  private lastDetail = '';

  constructor(
    private readonly fallback: VectorIndex,
    private readonly connections: { pooled: WithConnection; maintenance: WithConnection },
  ) {
    this.pgvector = pgvectorIndex(connections.pooled);
  }

  async nearest(query: NearestQuery): Promise<NearestPart[]> {
    if (!this.ready.has(query.model)) return this.fallback.nearest(query);
    try {
      const parts = await this.pgvector.nearest(query);
      // Few agents pass the condition, so the scan of the index ended before it found them.
      if (query.where && parts.length < query.limit) return this.fallback.nearest(query);
      return parts;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // The extension may have been dropped, which the next preparation detects.
      this.ready.delete(query.model);
      log.warn('embeddings.pgvector_failed', errorFields(error));
      return this.fallback.nearest(query);
    }
  }

  /** Returns the kind of index for the vectors of a model: `pgvector` or `bits`. */
  kindOf(model: number): 'pgvector' | 'bits' {
    return this.ready.has(model) ? 'pgvector' : 'bits';
  }

  /**
   * Installs pgvector where possible and builds the missing indexes, which may take minutes. May be repeated, and is
   * safe to run concurrently on several nodes. Never throws.
   */
  async prepare(models: ModelVectors[]): Promise<void> {
    if (models.length === 0) return;
    try {
      await this.connections.maintenance(async (connection) => {
        const state = await installPgvector(connection);
        this.logChange(state);
        if (!state.isUsable) return this.ready.clear();
        await dropOrphanedIndexes(connection);
        for (const vectors of models) {
          if (await prepareHnswIndex(connection, vectors)) this.ready.add(vectors.model);
          else this.ready.delete(vectors.model);
        }
      });
    } catch (error) {
      log.warn('embeddings.index_failed', errorFields(error));
    }
  }

  private logChange({ isUsable, detail }: PgvectorState): void {
    if (detail !== this.lastDetail) log.info('embeddings.pgvector', { isUsable, detail });
    this.lastDetail = detail;
  }
}
