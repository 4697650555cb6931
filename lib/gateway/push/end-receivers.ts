import { findAgentById } from '../../catalog';
import { subscribe } from '../../platform/bus';
import { errorFields, log } from '../../platform/log';
import { isCredentialActive } from '../../tokens';
import { deletePushesOf } from '../store/push-configs';

/** What receivers belong to directly. What they depend on further away is checked at each delivery. */
const credential = /^(ses|pat|sec|dlg)_/;

/**
 * Removes push receivers as soon as the credential that set them, their person, or the agent of their task ends, on whatever node
 * that happens, so that they stay gone when an account or an agent is restored. Answers the way to stop.
 */
export function endReceiversWithCredentials(): () => void {
  const leave = [
    subscribe('credential', '*', (id) => {
      if (credential.test(id)) attempt(() => endWithCredential(id));
    }),
    subscribe('user', '*', (id) => attempt(() => endWithPerson(id))),
    subscribe('agent', '*', (id) => {
      if (id.startsWith('agt_')) attempt(() => endWithAgent(id));
    }),
  ];
  return () => {
    for (const stop of leave) stop();
  };
}

function attempt(work: () => Promise<void>): void {
  // A receiver that is left behind gets nothing all the same.
  work().catch((error) => log.warn('push.receivers_not_removed', errorFields(error)));
}

async function endWithCredential(credentialId: string): Promise<void> {
  if (!(await isCredentialActive(credentialId, new Date()))) await deletePushesOf({ credentialId });
}

async function endWithPerson(userId: string): Promise<void> {
  if (!(await isCredentialActive(userId, new Date()))) await deletePushesOf({ principal: userId });
}

async function endWithAgent(agentId: string): Promise<void> {
  const agent = await findAgentById(agentId);
  if (agent?.status !== 'active' && agent?.status !== 'deprecated') await deletePushesOf({ agentId });
}
