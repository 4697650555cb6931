import { recordVersionDowngrade } from '../../catalog';
import { notifyPerson } from '../../identity';
import { env } from '../../platform/env';
import { errorFields, log } from '../../platform/log';

/**
 * Mails the owner of an agent, once for each card, that the card claims A2A 1.0 and the agent only knows the methods of 0.3.
 * Calls do not wait for this, and a mail that does not go out changes nothing for them.
 */
export async function reportVersionMismatch(agentId: string, now: Date): Promise<void> {
  try {
    const agent = await recordVersionDowngrade(agentId, now);
    if (!agent) return;
    log.warn('agent.called_older', { agentId, claimed: '1.0', called: '0.3' });
    const mail = {
      subject: `The card of ${agent.slug} names a version that it does not speak`,
      lines: linesFor(agent.slug),
    };
    await notifyPerson({ ctx: { now }, input: { userId: agent.ownerId, kind: 'agent_health', mail } });
  } catch (error) {
    log.warn('agent.owner_not_told', { agentId, ...errorFields(error) });
  }
}

function linesFor(slug: string): string[] {
  return [
    `The card of your agent ${slug} says that it speaks A2A 1.0, but the agent`,
    'does not know the methods of 1.0. Parley calls it in A2A 0.3 instead.',
    '',
    'Correct the card: set "protocolVersion" to "0.3", or update the agent',
    'to A2A 1.0. Until then the first call takes a request more.',
    '',
    `${env().APP_URL}/agents/${slug}`,
  ];
}
