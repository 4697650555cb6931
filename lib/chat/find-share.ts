import { sha256 } from '../platform/crypto';
import { findShareByToken } from './store/shares';

/** A link to a conversation, as moderation knows it. */
export interface FoundShare {
  id: string;
  userId: string;
  agentId: string;
  title: string;
}

/** What a link leads to, by the token in its address; null for one that leads nowhere. */
export async function findShare(token: string): Promise<FoundShare | null> {
  const share = await findShareByToken(sha256(token));
  return share && { id: share.id, userId: share.userId, agentId: share.agentId, title: share.title };
}
