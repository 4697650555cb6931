import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { json, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { ExampleTurn } from '../schema-examples';

const exampleRow = row({
  id: text(),
  agentId: text(),
  authorId: text(),
  taskId: uuid(),
  turns: json<ExampleTurn[]>(),
  publishedAt: timestamptz(),
  hiddenAt: nullable(timestamptz()),
});

/** The example conversation of an agent, including one removed by moderation. */
export type ExampleRecord = RowOf<typeof exampleRow>;

const columns = `id, agent_id AS "agentId", author_id AS "authorId", task_id AS "taskId", turns,
  published_at AS "publishedAt", hidden_at AS "hiddenAt"`;

/** The example conversation of an agent. */
export function selectExample(agentId: string): Promise<ExampleRecord | null> {
  const query = `SELECT ${columns} FROM example_conversation WHERE agent_id = $1`;
  return exampleRow.queryFirst('chat-example', query, [agentId]);
}

/** The example conversation with this id. */
export function selectExampleById(id: string): Promise<ExampleRecord | null> {
  return exampleRow.queryFirst('chat-example-by-id', `SELECT ${columns} FROM example_conversation WHERE id = $1`, [id]);
}

/** The example conversations that a user published. */
export function selectExamplesBy(authorId: string): Promise<ExampleRecord[]> {
  return exampleRow.query(
    'chat-examples-by',
    `SELECT ${columns} FROM example_conversation WHERE author_id = $1 ORDER BY published_at`,
    [authorId],
  );
}

/** Publishes or replaces the example conversation of an agent; null if moderation removed the present one. */
export async function upsertExample(example: Omit<ExampleRecord, 'hiddenAt'>): Promise<ExampleRecord | null> {
  const { id, agentId, authorId, taskId, turns, publishedAt } = example;
  return exampleRow.queryFirst(
    'chat-upsert-example',
    `INSERT INTO example_conversation (id, agent_id, author_id, task_id, turns, published_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (agent_id) DO UPDATE SET author_id = excluded.author_id, task_id = excluded.task_id,
       turns = excluded.turns, published_at = excluded.published_at
     WHERE example_conversation.hidden_at IS NULL
     RETURNING ${columns}`,
    [id, agentId, authorId, taskId, JSON.stringify(turns), publishedAt],
  );
}

/** Removes the example conversation of an agent; false if there is none. One that moderation removed stays. */
export async function removeExample(agentId: string): Promise<boolean> {
  const query = 'DELETE FROM example_conversation WHERE agent_id = $1 AND hidden_at IS NULL RETURNING id';
  return (await execute('chat-remove-example', query, [agentId])) > 0;
}

/** Hides an example conversation for moderation since a time, or shows it again with null. */
export async function setExampleHidden(tx: Db, id: string, since: Date | null): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE example_conversation SET hidden_at = ${since} WHERE id = ${id}`);
}
