import { query } from '../../platform/sql';

interface RefusedSend {
  principal: string;
  agentId: string;
  taskId: string;
  /** The key that is free again, as it is stored (within its delegation); null when a repeated send is still the same one. */
  key: string | null;
  /** The task never began, so that lists leave it out. */
  unlisted: boolean;
}

/** Frees the key of a send that the agent did not take, and leaves a task that never began out of lists. */
export async function releaseRefusedSend({ principal, agentId, taskId, key, unlisted }: RefusedSend): Promise<void> {
  await query(
    'forget-send',
    `WITH freed AS (
       DELETE FROM send_key WHERE principal = $1 AND agent_id = $2 AND key = $3 AND task_id = $4
     )
     UPDATE task SET unlisted = true WHERE id = $4 AND $5`,
    [principal, agentId, key, taskId, unlisted],
  );
}
