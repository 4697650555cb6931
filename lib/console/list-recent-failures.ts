import { flushAgentCalls, selectAgentCall, selectAgentCalls } from '../observability';
import { toLoggedCall } from './list-calls';
import type { CallDetail } from './schema';

/** The latest failed calls of an agent, newest first, with their wire. The caller has shown that they manage the agent. */
export async function listRecentFailures(agentId: string, limit: number): Promise<CallDetail[]> {
  await flushAgentCalls();
  const calls = await selectAgentCalls(agentId, { status: 'failed' }, { before: null, limit });
  return Promise.all(
    calls.map(async (call) => {
      const found = await selectAgentCall(agentId, call.id);
      return { ...toLoggedCall(call), wire: found?.wire ?? null };
    }),
  );
}
