import { type AgentRecord, findAgent } from '../catalog';
import { env } from '../platform/env';
import { OAuthFault } from '../protocol/oauth/faults';
import { mayCall } from './policy';

/** The one audience of an agent's tokens, which is also where it is called. */
export function audienceOf(slug: string): string {
  return `${env().APP_URL}/agents/${slug}`;
}

/**
 * The agent that a request for a token names by `resource` (RFC 8707 §2), by `audience` (RFC 8693 §2.1), or by both alike:
 * its address to the letter, and nothing else (TOK-3).
 * @throws {OAuthFault} `invalid_target`, alike for agents that are unknown, private to another, suspended or withdrawn
 */
export async function findTarget(
  principal: string,
  { resource, audience }: { resource?: string; audience?: string },
): Promise<AgentRecord> {
  const named = resource ?? audience;
  const start = audienceOf('');
  const isOne = resource === undefined || audience === undefined || resource === audience;
  const agent = isOne && named?.startsWith(start) ? await findAgent(named.slice(start.length)) : null;
  if (agent && mayCall(principal, agent)) return agent;
  throw new OAuthFault('invalid_target', `Expected resource to be one agent that may be called: ${start}{slug}.`);
}
