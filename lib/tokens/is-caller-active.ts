import { findAgentById } from '../catalog';
import { isCredentialActive } from './is-credential-active';
import { mayCall } from './policy';

/** Who called which agent, and what with. */
interface CallerOf {
  principal: string;
  credentialId: string;
  agentId: string;
}

/**
 * True while what a caller came with is good at `now` and they may call the agent: what they created there, such as a push receiver
 * or an open stream, ends when this is false. That a token of 15 minutes expires changes nothing.
 */
export async function isCallerActive({ principal, credentialId, agentId }: CallerOf, now: Date): Promise<boolean> {
  const credential = await isCredentialActive(credentialId, now);
  if (credential?.principal !== principal) return false;
  const agent = await findAgentById(agentId);
  return agent !== null && mayCall(principal, agent);
}
