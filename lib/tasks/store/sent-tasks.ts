import { isUuid } from '../../platform/ids';
import { queryTasks, type TaskRecord, taskColumns } from './records';

/**
 * A task that this agent sent: by a delegation that has not ended, or as its app. Null when it is unknown or another
 * agent sent it.
 */
export async function findSentTask(
  { agentId, appId }: { agentId: string; appId: string | null },
  taskId: string,
): Promise<TaskRecord | null> {
  if (!isUuid(taskId)) return null;
  const rows = await queryTasks(
    'find-sent-task',
    `SELECT ${taskColumns} FROM task t WHERE t.id = $1 AND (t.principal = $3 OR t.delegation IS NOT NULL AND EXISTS (
       SELECT 1 FROM delegation d
       WHERE d.id = t.credential_id AND d.agent_id = $2 AND d.principal = t.principal AND d.ended_at IS NULL))`,
    [taskId, agentId, appId],
  );
  return rows[0] ?? null;
}
