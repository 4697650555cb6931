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
 * Gives all tasks of a guest to the account that the guest created or signed in to, together with their contexts and
 * idempotency keys. The caller must have verified that both are the same person. Guests have no chains, pushes or
 * client task ids.
 */
export async function transferTasks(tx: Db, from: string, to: TaskHolder): Promise<void> {
  // The tasks of a principal are in two partial indexes.
  await executeIn(
    tx,
    Prisma.sql`UPDATE task SET principal = ${to.principal}, credential_id = ${to.credentialId}
      WHERE principal = ${from} AND run_node IS NULL`,
  );
  await executeIn(
    tx,
    Prisma.sql`UPDATE task SET principal = ${to.principal}, credential_id = ${to.credentialId}
      WHERE principal = ${from} AND run_node IS NOT NULL`,
  );
  for (const table of ['idempotency_key', 'context']) {
    // Message ids are random, so an equal row belongs to the same send.
    const same = table === 'context' ? 'o.id = t.id' : 'o.key = t.key';
    await executeIn(
      tx,
      Prisma.sql`DELETE FROM ${Prisma.raw(table)} t WHERE t.principal = ${from} AND EXISTS (
        SELECT FROM ${Prisma.raw(table)} o WHERE o.principal = ${to.principal} AND o.agent_id = t.agent_id
          AND ${Prisma.raw(same)})`,
    );
    await executeIn(
      tx,
      Prisma.sql`UPDATE ${Prisma.raw(table)} SET principal = ${to.principal} WHERE principal = ${from}`,
    );
  }
}

/** Inserts nine finished tasks, eight of them completed, before each time at which a demo user reviewed an agent. */
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
         RETURNING id)
       INSERT INTO compacted_task (task_id, events) SELECT id, '[]' FROM tasks`,
      [author, own.map(({ agentId }) => agentId), own.map(({ at }) => at)],
    );
  }
}
