import { findAgent, maySeeAgent, requireVisible } from '../catalog';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { DPOP_ALGORITHMS } from '../protocol/oauth/dpop';
import type { ResourceMetadata } from '../protocol/oauth/metadata';
import { audienceOf } from './audience';
import { AGENT_SCOPES } from './describe-server';
import { accessScopeSchema } from './schema';

/**
 * An agent as a protected resource (META-2): which tokens it takes and who makes them. `resource` is one of its endpoints, or
 * one that finds the agent in the call; without it, the audience of its tokens is described. What is said of an endpoint does
 * not tell whether there is such an agent.
 * @throws {ParleyError} without `resource`: `not_found`, `gone`, as for the agent's card
 */
export async function describeAgent({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string | undefined; resource?: string };
}): Promise<ResourceMetadata> {
  const { slug, resource } = input;
  const found = slug === undefined ? null : await findAgent(slug);
  const agent = resource === undefined ? requireVisible(ctx.actor, found) : found;
  const isVisible = agent !== null && maySeeAgent(ctx.actor, agent);
  return {
    resource: resource ?? audienceOf(slug ?? ''),
    ...(isVisible && { resource_name: agent.name }),
    authorization_servers: [env().APP_URL],
    bearer_methods_supported: ['header'],
    scopes_supported: AGENT_SCOPES,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  };
}

/** An endpoint of our own API as a protected resource (RFC 9728 §2): it takes access tokens of people and devices. */
export function describeApi(resource: string): ResourceMetadata {
  return {
    resource,
    authorization_servers: [env().APP_URL],
    bearer_methods_supported: ['header'],
    scopes_supported: accessScopeSchema.options,
  };
}
