import type { AgentRecord } from '../catalog';
import { heirOf, upstreamTokenFor } from '../tokens';
import type { TaskRecord } from './store/records';

/** The agent token for calls about a task, which go on when the credential that it was begun with has ended. */
export async function runToken(record: TaskRecord, agent: AgentRecord): Promise<string> {
  const now = new Date();
  const { principal, clientId } = record;
  return upstreamTokenFor({ principal, credentialId: await heirOf(record, now), agent, clientId, now });
}
