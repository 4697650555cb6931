import { listAgentCalls, writeAgentCalls } from '../observability';
import type { LoggedCall } from './schema';

/** The latest calls of an agent, newest first. The caller has shown that the agent is theirs. */
export async function callsOf(agentId: string, shown: { failed: boolean; limit: number }): Promise<LoggedCall[]> {
  await writeAgentCalls();
  const calls = await listAgentCalls(agentId, shown);
  return calls.map(({ id, at, ms, method, dialect, requestId, failure }) => ({
    id,
    at: at.toISOString(),
    ms,
    method,
    dialect,
    requestId,
    failure,
  }));
}
