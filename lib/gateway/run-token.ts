import type { AgentRecord } from '../catalog';
import { tokenForTask } from '../tokens';
import type { TaskRecord } from './store/records';

/** The agent token for calls about a task, as it is at this moment. */
export function runToken(record: TaskRecord, agent: AgentRecord): string | Promise<string> {
  return tokenForTask(record, agent, new Date());
}
