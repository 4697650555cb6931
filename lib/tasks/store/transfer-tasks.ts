import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { executeIn } from '../../platform/db/sql';
import { ofOwner } from '../../platform/db/task-databases/task-statements';

/** The owner of tasks and the credential of their latest send. */
interface TaskHolder {
  principal: string;
  credentialId: string;
}

/**
 * Makes the tasks that an account received from a guest tasks of the account's credential. Must be called after the rows
 * of the guest were given to the account.
 */
export async function adoptTasks(
  tx: Db,
  taskIds: readonly string[],
  { principal, credentialId }: TaskHolder,
): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE task SET credential_id = ${credentialId} WHERE principal = ${principal} AND id = ANY(${taskIds}::uuid[])`,
  );
}

/** Inserts nine finished tasks, eight of them completed, before each time at which a demo user reviewed an agent, and counts them. */
export async function insertDemoTasks(reviews: { agentId: string; author: string; at: Date }[]): Promise<void> {
  for (const author of new Set(reviews.map((review) => review.author))) {
    const own = reviews.filter((review) => review.author === author);
    await ofOwner(author).execute(
      'insert-demo-tasks',
      `WITH tasks AS (
         INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at,
           compacted, unlisted)
         SELECT gen_random_uuid(), $1, agent_id, gen_random_uuid(), CASE WHEN n = 9 THEN 'failed' ELSE 'completed' END,
           at - n * interval '17 hours', 0, 'ses_demo', 'parley-web', at - n * interval '17 hours', true, true
         FROM unnest($2::text[], $3::timestamptz[]) AS r(agent_id, at), generate_series(1, 9) n
         RETURNING principal, id, agent_id, created_at, state),
       counted AS (
         INSERT INTO agent_task_day AS d (principal, agent_id, day, calls, completed, failed)
         SELECT principal, agent_id, (created_at AT TIME ZONE 'UTC')::date, count(*),
           count(*) FILTER (WHERE state = 'completed'), count(*) FILTER (WHERE state = 'failed')
         FROM tasks GROUP BY 1, 2, 3
         ON CONFLICT ON CONSTRAINT agent_task_day_pkey DO UPDATE SET calls = d.calls + excluded.calls,
           completed = d.completed + excluded.completed, failed = d.failed + excluded.failed)
       INSERT INTO compacted_task (principal, task_id, events) SELECT principal, id, '[]' FROM tasks`,
      [author, own.map(({ agentId }) => agentId), own.map(({ at }) => at)],
    );
  }
}
