import type { Connection } from '../../platform/db/connections';
import { log } from '../../platform/runtime/log';
import { withTryLock } from './try-lock';

/** The vectors of one model. */
export interface ModelVectors {
  model: number;
  dimensions: number;
}

/** pgvector indexes `halfvec` up to this length. */
const maxIndexedDimensions = 4_000;

const prefix = 'agent_embedding_hnsw_';

/**
 * True if the model's index exists and is valid; builds it otherwise, which takes minutes for 100,000 vectors, while
 * reads and writes continue. One node builds at a time; on the others the result is false until that is done.
 * @param connection without a deadline for statements
 * @throws the database's error; a later call replaces the incomplete index
 */
export async function prepareHnswIndex(connection: Connection, vectors: ModelVectors): Promise<boolean> {
  if (vectors.dimensions > maxIndexedDimensions) return false;
  if ((await stateOf(connection, vectors.model)) === 'valid') return true;
  // Waiting for the lock would hold a snapshot, and CREATE INDEX CONCURRENTLY waits for snapshots.
  if (!(await withTryLock(connection, 'embeddings.hnsw', () => build(connection, vectors)))) return false;
  return (await stateOf(connection, vectors.model)) === 'valid';
}

async function build(connection: Connection, vectors: ModelVectors): Promise<void> {
  const name = nameOf(vectors.model);
  const state = await stateOf(connection, vectors.model);
  if (state === 'valid') return;
  // No other node is building, so this build was interrupted.
  if (state === 'invalid') await connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  const startedAt = performance.now();
  await connection.query(createStatement(vectors));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  log.info('embeddings.index_built', { model: vectors.model, seconds });
}

function createStatement({ model, dimensions }: ModelVectors): string {
  return `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${nameOf(model)} ON agent_embedding
    USING hnsw ((vec::halfvec(${integer(dimensions)})) halfvec_cosine_ops) WHERE model = ${integer(model)}`;
}

/** Drops the indexes of models that no longer exist. */
export async function dropOrphanedIndexes(connection: Connection): Promise<void> {
  const { rows } = await connection.query(
    `SELECT c.relname::text AS name FROM pg_class c WHERE c.relkind = 'i' AND pg_table_is_visible(c.oid)
       AND c.relname ~ '^${prefix}[0-9]+$' AND NOT EXISTS (
         SELECT FROM embedding_model m WHERE '${prefix}' || m.id = c.relname)`,
  );
  for (const { name } of rows) await connection.query(`DROP INDEX CONCURRENTLY IF EXISTS ${String(name)}`);
}

async function stateOf(connection: Connection, model: number): Promise<'absent' | 'invalid' | 'valid'> {
  const { rows } = await connection.query(
    `SELECT i.indisvalid AND i.indisready AS valid FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
     WHERE c.relname = $1 AND pg_table_is_visible(c.oid)`,
    [nameOf(model)],
  );
  if (!rows[0]) return 'absent';
  return rows[0].valid === true ? 'valid' : 'invalid';
}

function nameOf(model: number): string {
  return `${prefix}${integer(model)}`;
}

/** A number that becomes part of a statement: an index predicate and a type modifier cannot be parameters. */
function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`);
  return value;
}
