import { isCredentialActive } from './is-credential-active';

/**
 * The credential that a task goes on with: its own while that is good, then its principal's. A delegation has no heir: an
 * agent that may act for a person no more must not pass for the person.
 */
export async function heirOf(task: { credentialId: string; principal: string }, now: Date): Promise<string> {
  const { credentialId, principal } = task;
  if (credentialId.startsWith('dlg_') || (await isCredentialActive(credentialId, now))) return credentialId;
  return principal;
}
