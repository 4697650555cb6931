import { findActiveSession, findUser } from '../identity';
import { findLiveAccessToken } from './access-token';

/**
 * The person behind a credential, when it is good at `now` and they are not suspended; else null. Knows sessions
 * (`ses_…`), access tokens (`pat_…`) and people themselves (`usr_…`). Answers from memory that notices empty.
 */
export async function isCredentialActive(credentialId: string, now: Date): Promise<{ userId: string } | null> {
  if (credentialId.startsWith('ses_')) return findActiveSession(credentialId, now);
  const token = credentialId.startsWith('pat_') ? await findLiveAccessToken(credentialId, now) : null;
  const userId = credentialId.startsWith('usr_') ? credentialId : token?.userId;
  const user = userId === undefined ? null : await findUser(userId);
  return user && !user.suspended ? { userId: user.id } : null;
}
