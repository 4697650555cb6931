import { findAgentById } from '../../catalog';
import { subscribe } from '../../platform/bus';
import { errorFields, log } from '../../platform/log';
import { isCredentialActive } from '../../tokens';
import { deletePushConfigsOf } from '../store/push-configs';

/** What receivers belong to directly. What they depend on further away is checked at each delivery. */
const credentialIdPattern = /^(ses|pat|sec|dlg)_/;

/**
 * Removes push receivers as soon as the credential that set them, their person, or the agent of their task ends, on whatever node
 * that happens, so that they stay gone when an account or an agent is restored. Answers the way to stop.
 */
export function removeConfigsOnRevocation(): () => void {
  const unsubscribes = [
    subscribe('credential', '*', (id) => {
      if (credentialIdPattern.test(id)) runSafely(() => removeOfCredential(id));
    }),
    subscribe('user', '*', (id) => runSafely(() => removeOfUser(id))),
    subscribe('agent', '*', (id) => {
      if (id.startsWith('agt_')) runSafely(() => removeOfAgent(id));
    }),
  ];
  return () => {
    for (const stop of unsubscribes) stop();
  };
}

function runSafely(work: () => Promise<void>): void {
  // A receiver that is left behind gets nothing all the same.
  work().catch((error) => log.warn('push.receivers_not_removed', errorFields(error)));
}

async function removeOfCredential(credentialId: string): Promise<void> {
  if (!(await isCredentialActive(credentialId, new Date()))) await deletePushConfigsOf({ credentialId });
}

async function removeOfUser(userId: string): Promise<void> {
  if (!(await isCredentialActive(userId, new Date()))) await deletePushConfigsOf({ principal: userId });
}

async function removeOfAgent(agentId: string): Promise<void> {
  const agent = await findAgentById(agentId);
  if (agent?.status !== 'active' && agent?.status !== 'deprecated') await deletePushConfigsOf({ agentId });
}
