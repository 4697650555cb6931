import type { WithConnection } from '../platform/db/connections';
import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { errorFields, log } from '../platform/runtime/log';
import {
  dropOrphanedIndexes,
  installPgvector,
  type ModelVectors,
  type PgvectorState,
  pgvectorIndex,
  prepareHnswIndex,
} from './store/pgvector-index';
import type { NearestPart, NearestQuery, VectorIndex } from './vector-index';

/** Searches by pgvector the models whose index is ready, and the others by `fallback`, which needs no preparation. */
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
      // Few agents pass the condition: the scan of the index ended before it found them.
      if (query.where && parts.length < query.limit) return this.fallback.nearest(query);
      return parts;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      // The extension may have been dropped; the next preparation detects that.
      this.ready.delete(query.model);
      log.warn('embeddings.pgvector_failed', errorFields(error));
      return this.fallback.nearest(query);
    }
  }

  /** The kind of index for the vectors of a model: `pgvector` or `bits`. */
  kindOf(model: number): 'pgvector' | 'bits' {
    return this.ready.has(model) ? 'pgvector' : 'bits';
  }

  /**
   * Installs pgvector where possible and builds the missing indexes, which may take minutes. Safe to repeat and to run
   * on several nodes. Never throws.
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
