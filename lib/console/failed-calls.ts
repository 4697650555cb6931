import { listCallErrors } from '../observability';
import type { FailedCall } from './schema';

/** The latest failed calls of an agent, newest first. The caller has shown that the agent is theirs. */
export async function failedCallsOf(agentId: string, limit: number): Promise<FailedCall[]> {
  const rows = await listCallErrors(agentId, limit);
  return rows.map(({ at, code, message, requestId }) => ({ at: at.toISOString(), code, message, requestId }));
}
