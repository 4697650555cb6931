import { Prisma } from '../../generated/prisma/client';
import { int4, int8, json, nullable, type RowOf, row, text } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { inTransaction, type Tx } from '../../platform/db/tx';

const modelRow = row({
  id: int4(),
  name: text(),
  dims: int4(),
  /** The vector to which the signs are relative; null means zero. */
  mean: nullable(json<number[]>()),
  state: text<'filling' | 'active' | 'retired'>(),
  /** The number of vectors when they were distributed over lists; 0 if there are no lists. */
  listedVectors: int4(),
});

/** A model whose vectors are stored. */
export type ModelRecord = RowOf<typeof modelRow>;

export function selectModels(): Promise<ModelRecord[]> {
  return modelRow.query(
    'embedding-models',
    'SELECT id::int, name, dims, to_json(mean) AS mean, state, listed_vectors AS "listedVectors" FROM embedding_model ORDER BY id',
  );
}

/**
 * Adds a model, for which every public agent is due, or reactivates a retired one, whose vectors were kept up to date.
 */
export async function upsertModel({ name, dims }: { name: string; dims: number }, now: Date): Promise<void> {
  await inTransaction(async (tx) => {
    const added = await executeIn(
      tx,
      Prisma.sql`INSERT INTO embedding_model (name, dims, state, created_at) VALUES (${name}, ${dims}, 'filling', ${now})
        ON CONFLICT (name) DO NOTHING`,
    );
    if (added > 0) await insertAllDue(tx, name, now);
    else
      await executeIn(
        tx,
        Prisma.sql`UPDATE embedding_model SET state = 'filling', retired_at = NULL WHERE name = ${name} AND state = 'retired'`,
      );
  });
}

async function insertAllDue(tx: Tx, name: string, now: Date): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO embedding_due (model, agent_id, due_at, changed_at)
      SELECT m.id, s.agent_id, ${now}, s.updated_at FROM embedding_model m, agent_search s WHERE m.name = ${name}`,
  );
}

/** Makes a filled model the active one. Does nothing if it is no longer being filled. */
export async function activateModel(id: number, now: Date): Promise<void> {
  await inTransaction(async (tx) => {
    await executeIn(
      tx,
      Prisma.sql`UPDATE embedding_model SET state = 'retired', retired_at = ${now}
        WHERE state = 'active' AND EXISTS (SELECT FROM embedding_model WHERE id = ${id} AND state = 'filling')`,
    );
    await executeIn(tx, Prisma.sql`UPDATE embedding_model SET state = 'active' WHERE id = ${id} AND state = 'filling'`);
  });
}

/** Deletes models that were replaced before `before`, with their vectors. */
export async function deleteRetiredModels(before: Date): Promise<void> {
  await execute('delete-embedding-models', `DELETE FROM embedding_model WHERE state = 'retired' AND retired_at < $1`, [
    before,
  ]);
}

const progressRow = row({ agents: int8(), due: int8(), vectors: int8() });

/** Counts the public agents, those of them whose vectors are due, and the vectors of a model. */
export async function selectProgress(model: number): Promise<RowOf<typeof progressRow>> {
  const found = await progressRow.queryFirst(
    'embedding-progress',
    `SELECT (SELECT count(*) FROM agent_search) AS agents,
       (SELECT count(*) FROM embedding_due WHERE model = $1) AS due,
       (SELECT count(*) FROM agent_embedding_bits WHERE model = $1) AS vectors`,
    [model],
  );
  return found ?? { agents: 0, due: 0, vectors: 0 };
}

/** Returns SQL for the signs of a vector relative to a mean, which may be null (see `signBits`). */
export function signBitsSql(vec: string, mean: string): string {
  return `(SELECT string_agg(CASE WHEN u.value > coalesce(u.mean, 0) THEN '1' ELSE '0' END, '' ORDER BY u.at)
    FROM unnest(${vec}, coalesce(${mean}, '{}')) WITH ORDINALITY u(value, mean, at))::varbit`;
}

/** Centers a model, so that the signs of its vectors are relative to the mean of `count` of them. */
export async function centerModel(id: number, count: number): Promise<void> {
  await inTransaction(async (tx) => {
    const centered = await executeIn(
      tx,
      Prisma.sql`UPDATE embedding_model SET mean = (
          SELECT array_agg(mean::real ORDER BY at) FROM (
            SELECT u.at, avg(u.value) AS mean
            FROM (SELECT vec FROM agent_embedding WHERE model = ${id}::smallint LIMIT ${count}) e,
              unnest(e.vec) WITH ORDINALITY u(value, at) GROUP BY u.at) means)
        WHERE id = ${id}::smallint AND mean IS NULL`,
    );
    if (centered === 0) return;
    await executeIn(
      tx,
      Prisma.sql`UPDATE agent_embedding_bits b SET bits = ${Prisma.raw(signBitsSql('e.vec', 'm.mean'))}
        FROM agent_embedding e JOIN embedding_model m ON m.id = e.model
        WHERE b.model = ${id}::smallint AND (e.model, e.agent_id, e.part) = (b.model, b.agent_id, b.part)`,
    );
  }, 60_000);
}
