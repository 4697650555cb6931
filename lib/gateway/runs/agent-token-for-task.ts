import type { AgentRecord } from '../../catalog';
import { upstreamTokenForTask } from '../../tokens';
import type { TaskRecord } from '../store/records';

/** The agent token for calls about a task, as it is at this moment. */
export function agentTokenForTask(record: TaskRecord, agent: AgentRecord): string | Promise<string> {
  return upstreamTokenForTask(record, agent, new Date());
}
