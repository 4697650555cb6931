import { type AgentRecord, findAgent } from '../catalog';
import { env } from '../platform/env';
import { OAuthError } from '../protocol/oauth/oauth-error';
import { mayCall } from './policy';

/** The one audience of an agent's tokens, which is also where it is called. */
export function audienceOf(slug: string): string {
  return `${env().APP_URL}/agents/${slug}`;
}

/** Endpoints of one agent below our origin (RFC 9728: each is a resource of its own; one token opens them all). */
const ownEndpoints = [
  /^\/agents\/([\w-]+)$/,
  /^\/agents\/([\w-]+)\/(?:society|tasks\/process|a2a\/(?:jsonrpc|rpc|agent\/authenticatedExtendedCard|rest(?:\/[^?#]*)?))$/,
  /^\/v1\/(?:agents|agent-systems)\/([\w-]+)\/a2a$/,
];

/** Endpoints that find the agent in the call; a resource names the agent of calls that name none. */
const sharedEndpoints = ['/', '/a2a', '/a2a/jsonrpc', '/a2a/rpc', '/tasks/process'];

/** The slug of the agent that a resource indicator names (RFC 8707 §2): the audience of its tokens, or one of its endpoints. */
function slugOf(resource: string): string | undefined {
  const { APP_URL, DEFAULT_AGENT } = env();
  if (!resource.startsWith(`${APP_URL}/`)) return undefined;
  const path = resource.slice(APP_URL.length);
  if (sharedEndpoints.includes(path)) return DEFAULT_AGENT;
  for (const pattern of ownEndpoints) {
    const slug = pattern.exec(path)?.[1];
    if (slug !== undefined) return slug;
  }
  return undefined;
}

/**
 * The agent that a request for a token names by `resource` (RFC 8707 §2), by `audience` (RFC 8693 §2.1), or by both alike:
 * its address or one of its endpoints, to the letter, and nothing else (TOK-3).
 * @throws {OAuthError} `invalid_target`, alike for agents that are unknown, private to another, suspended or withdrawn
 */
export async function findTarget(
  principal: string,
  { resource, audience }: { resource?: string; audience?: string },
): Promise<AgentRecord> {
  const [slug, ...others] = [resource, audience].flatMap((named) => (named === undefined ? [] : [slugOf(named)]));
  const isOne = others.every((other) => other === slug);
  const agent = isOne && slug !== undefined ? await findAgent(slug) : null;
  if (agent && mayCall(principal, agent)) return agent;
  const start = audienceOf('');
  throw new OAuthError('invalid_target', `Expected resource to be one agent that may be called: ${start}{slug}.`);
}
