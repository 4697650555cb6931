import { findChatUsers } from './store/conversations';

const monthMs = 30 * 86_400_000;

/** Who talked to an agent within the last 30 days, for what moderation has to tell them. */
export function listChatUsers(agentId: string, now: Date): Promise<string[]> {
  return findChatUsers(agentId, new Date(now.getTime() - monthMs));
}
