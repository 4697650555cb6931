import type { Connection } from '../../platform/db/connections';
import { log } from '../../platform/runtime/log';
import { VECTOR_LISTS, VECTORS_PER_MOVE } from '../limits';

/** Growth factor above which vectors are distributed over lists again, because the centers no longer represent them. */
const REBUILD_GROWTH = 4;
/** Number of training rounds. More rounds hardly improve the centers. */
const TRAINING_ROUNDS = 3;

/** Returns SQL for the number of the model's list whose center differs least from `bits`; 0 if there are no lists. */
export function nearestListSql(model: string, bits: string): string {
  return `coalesce((SELECT l.list FROM embedding_list l WHERE l.model = ${model} ORDER BY ${byDistance(bits)} LIMIT 1), 0)`;
}

/** Returns SQL that orders the lists `l` by the distance of their centers from `bits`. */
export function byDistance(bits: string): string {
  return `bit_count(l.center # ${bits}), l.list`;
}

/**
 * Distributes the vectors of a model over lists by their signs once there are enough, and again when their number has
 * grown by a factor of {@link REBUILD_GROWTH}. Takes minutes for a million vectors; until it has finished, searches read
 * all vectors. Runs on one node at a time. If it is interrupted, the next call starts again.
 * @param connection without a statement timeout
 */
export async function prepareLists(connection: Connection, model: number, sizes = VECTOR_LISTS): Promise<void> {
  await withTryLock(connection, 'embeddings.lists', async () => {
    if (!(await isDue(connection, { model, minVectors: sizes.minVectors }))) return;
    const startedAt = performance.now();
    await trainCenters(connection, { model, ...sizes });
    await replaceCenters(connection, model);
    let moved: Position | null = { agentId: '', part: 0 };
    while (moved) moved = await moveNext(connection, { model, after: moved });
    // Searches read only the index, except for pages that were changed since the last VACUUM.
    await connection.query('VACUUM (ANALYZE) agent_embedding_bits');
    await connection.query(
      'UPDATE embedding_model SET listed_vectors = (SELECT count(*) FROM agent_embedding_bits WHERE model = $1) WHERE id = $1',
      [model],
    );
    log.info('embeddings.lists_built', { model, seconds: Math.round((performance.now() - startedAt) / 1000) });
  });
}

async function isDue(
  connection: Connection,
  { model, minVectors }: { model: number; minVectors: number },
): Promise<boolean> {
  const { rows } = await connection.query(
    `SELECT (SELECT count(*) FROM agent_embedding_bits WHERE model = $1) >=
       greatest($2, listed_vectors * $3) AS is_due FROM embedding_model WHERE id = $1`,
    [model, minVectors, REBUILD_GROWTH],
  );
  return rows[0]?.is_due === true;
}

/** Computes the centers by k-means of the signs of some vectors, into the temporary table `trained`. */
async function trainCenters(
  connection: Connection,
  { model, lists, sampled }: { model: number; lists: number; sampled: number },
): Promise<void> {
  await connection.query('CREATE TEMP TABLE sampled (bits varbit, list smallint)');
  await connection.query('CREATE TEMP TABLE trained (list smallint, center varbit)');
  await connection.query(
    'INSERT INTO sampled SELECT bits FROM agent_embedding_bits WHERE model = $1 ORDER BY random() LIMIT $2',
    [model, sampled],
  );
  await connection.query(
    'INSERT INTO trained SELECT row_number() OVER (), bits FROM (SELECT bits FROM sampled LIMIT $1) s',
    [lists],
  );
  for (let round = 0; round < TRAINING_ROUNDS; round++) {
    await connection.query(
      `UPDATE sampled SET list = (SELECT l.list FROM trained l ORDER BY ${byDistance('sampled.bits')} LIMIT 1)`,
    );
    await connection.query(
      `UPDATE trained SET center = m.center FROM (
         SELECT list, string_agg(CASE WHEN 2 * ones > vectors THEN '1' ELSE '0' END, '' ORDER BY at)::varbit AS center
         FROM (SELECT list, at, sum(get_bit(bits, at)) AS ones, count(*) AS vectors
           FROM sampled, generate_series(0, length(bits) - 1) AS at GROUP BY list, at) counts
         GROUP BY list) m
       WHERE m.list = trained.list`,
    );
  }
}

async function replaceCenters(connection: Connection, model: number): Promise<void> {
  await connection.query('BEGIN');
  // Waits for vectors that are being stored. Those that are stored later are assigned to the new lists.
  await connection.query('UPDATE embedding_model SET listed_vectors = 0 WHERE id = $1', [model]);
  await connection.query('DELETE FROM embedding_list WHERE model = $1', [model]);
  await connection.query('INSERT INTO embedding_list (model, list, center) SELECT $1, list, center FROM trained', [
    model,
  ]);
  await connection.query('COMMIT');
  await connection.query('DROP TABLE sampled, trained');
}

/** A vector of a model, in the order of the primary key. */
interface Position {
  agentId: string;
  part: number;
}

/** Moves the next vectors to their lists. Returns null after the last ones. */
async function moveNext(
  connection: Connection,
  { model, after }: { model: number; after: Position },
): Promise<Position | null> {
  const { rows } = await connection.query(
    `WITH next AS MATERIALIZED (
       SELECT agent_id, part, bits FROM agent_embedding_bits
       WHERE model = $1 AND (agent_id, part) > ($2, $3::smallint) ORDER BY agent_id, part LIMIT $4),
     moved AS (
       UPDATE agent_embedding_bits b SET list = ${nearestListSql('$1', 'n.bits')} FROM next n
       WHERE b.model = $1 AND (b.agent_id, b.part) = (n.agent_id, n.part))
     SELECT agent_id, part FROM next ORDER BY agent_id DESC, part DESC LIMIT 1`,
    [model, after.agentId, after.part, VECTORS_PER_MOVE],
  );
  const [last] = rows;
  return last ? { agentId: String(last.agent_id), part: Number(last.part) } : null;
}

/** Runs `work` under the advisory lock with this name. Returns false immediately if another node holds the lock. */
export async function withTryLock(connection: Connection, name: string, work: () => Promise<void>): Promise<boolean> {
  const { rows } = await connection.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS acquired', [name]);
  if (rows[0]?.acquired !== true) return false;
  try {
    await work();
  } finally {
    await connection.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
  return true;
}
