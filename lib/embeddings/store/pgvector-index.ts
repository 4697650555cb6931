import type { Connection, WithConnection } from '../../platform/db/connections';
import { databaseCodeOf } from '../../platform/db/database-errors';
import { log } from '../../platform/runtime/log';
import type { AgentCondition, NearestPart, NearestQuery, VectorIndex } from '../vector-index';
import { withTryLock } from './vector-lists';

/** Number of parts that the index visits per step. The index visits more until `limit` parts pass the condition. */
const visited = 200;

const settings = `BEGIN READ ONLY; SET LOCAL hnsw.iterative_scan = strict_order; SET LOCAL hnsw.ef_search = ${visited}`;

/**
 * Returns the index of pgvector ({@link prepareHnswIndex}). The order of parts is approximate, but their cosines are
 * exact. With a condition that few agents pass, it may return fewer than `limit` parts although more exist.
 */
export function pgvectorIndex(withConnection: WithConnection): VectorIndex {
  return {
    nearest: ({ vector, model, limit, where }: NearestQuery): Promise<NearestPart[]> =>
      withConnection(async (connection) => {
        const { sql, values } = where ?? everyAgent;
        const text = nearestStatement({ model, dimensions: vector.length, where: { sql, values } });
        await connection.query(settings);
        const { rows } = await connection.query(text, [...values, `[${vector.join()}]`, limit]);
        await connection.query('COMMIT');
        return rows.map(({ agent_id, part, cosine }) => ({
          agentId: String(agent_id),
          part: Number(part),
          cosine: Number(cosine),
        }));
      }),
  };
}

const everyAgent: AgentCondition = { sql: 'NOT s.is_withheld', values: [] };

/**
 * Returns the statement. The model and the length are part of its text, so that the planner finds the partial index.
 */
function nearestStatement(query: { model: number; dimensions: number; where: AgentCondition }): string {
  const { sql, values } = query.where;
  const [model, length] = [Math.trunc(query.model), Math.trunc(query.dimensions)];
  const vector = `$${values.length + 1}::vector(${length})`;
  return `SELECT agent_id, part, 1 - (vec::vector(${length}) <=> ${vector}) AS cosine FROM (
      SELECT e.agent_id, e.part, e.vec FROM agent_embedding e JOIN agent_search s USING (agent_id)
      WHERE e.model = ${model} AND ${sql}
      ORDER BY e.vec::halfvec(${length}) <=> ${vector}::halfvec(${length}) LIMIT $${values.length + 2}::int) near
    ORDER BY cosine DESC, agent_id, part`;
}

/** The vectors of one model. */
export interface ModelVectors {
  model: number;
  dimensions: number;
}

/** Maximum length of vectors that pgvector can index as `halfvec`. */
const maxIndexedDimensions = 4_000;

const prefix = 'agent_embedding_hnsw_';

/**
 * Builds the model's index unless it exists and is valid. This takes minutes for 100,000 vectors, while reads and
 * writes continue. Only one node builds at a time; on other nodes the result is false until it has finished. The result
 * is always false for vectors with more dimensions than the index supports.
 * @param connection without a statement timeout
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
  // No other node is building it, so this build was interrupted.
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

/**
 * Validates a number that becomes part of a statement, because index predicates and type modifiers cannot be
 * parameters.
 */
function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`);
  return value;
}

/** The availability of pgvector, with its version or why it cannot be used. */
export interface PgvectorState {
  isUsable: boolean;
  detail: string;
}

/**
 * Minimum minor version, which is the first one with iterative index scans. Without them, a filter could empty a
 * result.
 */
const oldestMinor = 8;

const insufficientPrivilege = '42501';
/** Errors if another node created it at the same moment. */
const createdMeanwhile = ['23505', '42710'];

/**
 * Determines the availability of pgvector, and installs the extension if the database provides it and the role has
 * permission.
 * @throws the database's error if it does not concern the extension
 */
export async function installPgvector(connection: Connection): Promise<PgvectorState> {
  const { rows: offered } = await connection.query(
    `SELECT installed_version FROM pg_available_extensions WHERE name = 'vector'`,
  );
  if (!offered[0]) return refused('the database does not offer it');
  if (offered[0].installed_version === null) {
    const refusal = await createExtension(connection);
    if (refusal) return refusal;
  }
  const { rows } = await connection.query(
    `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS version,
       to_regtype('vector') IS NOT NULL AND to_regtype('halfvec') IS NOT NULL AS usable`,
  );
  const version = String(rows[0]?.version);
  if (isTooOld(version)) return refused(`its version ${version} is older than 0.${oldestMinor}`);
  if (rows[0]?.usable !== true) return refused('its schema is not in the search path');
  return { isUsable: true, detail: version };
}

async function createExtension(connection: Connection): Promise<PgvectorState | null> {
  try {
    await connection.query('CREATE EXTENSION IF NOT EXISTS vector');
    return null;
  } catch (error) {
    const code = databaseCodeOf(error);
    if (createdMeanwhile.includes(code)) return null;
    if (code === insufficientPrivilege) return refused('the role may not create the extension');
    throw error;
  }
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < oldestMinor;
}

function refused(detail: string): PgvectorState {
  return { isUsable: false, detail };
}
