import type { AgentRecord } from '../catalog';
import { processSingleton } from '../platform/singleton';
import { isCredentialActive } from './is-credential-active';
import { MicroCache } from './micro-cache';
import { upstreamTokenFor } from './upstream-token';

/** Whose task it is, and what it was begun with. */
interface TaskOwner {
  principal: string;
  credentialId: string;
  clientId: string;
}

const tokens = (): MicroCache<string> => processSingleton('task-tokens', () => new MicroCache());

/**
 * The token for calling an agent about a task, which goes on when the credential that it was begun with has ended: as its
 * principal. A promise only when there is something to look up.
 */
export function upstreamTokenForTask(task: TaskOwner, agent: AgentRecord, now: Date): string | Promise<string> {
  // A run goes on with the agent as it was when it began: after a transfer the owner's name for the person is another.
  const key = [task.credentialId, task.principal, task.clientId, agent.id, agent.ownerId, agent.slug].join(' ');
  const cached = tokens().get(key, now);
  if (cached !== undefined) return cached;
  return tokens().getOrLoad(key, now, async () => {
    const { principal, clientId } = task;
    const credentialId = await effectiveCredential(task, now);
    const value = await upstreamTokenFor({ principal, credentialId, agent, clientId, now });
    return { value, endsAt: Number.POSITIVE_INFINITY };
  });
}

/** A delegation has no heir: an agent that may act for a person no more must not pass for the person. */
async function effectiveCredential({ credentialId, principal }: TaskOwner, now: Date): Promise<string> {
  if (credentialId.startsWith('dlg_') || (await isCredentialActive(credentialId, now))) return credentialId;
  return principal;
}
