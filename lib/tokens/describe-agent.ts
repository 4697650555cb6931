import { findAgent, requireVisible } from '../catalog';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { DPOP_ALGORITHMS } from '../protocol/oauth/dpop';
import type { ResourceMetadata } from '../protocol/oauth/metadata';
import { audienceOf } from './audience';
import { AGENT_SCOPES } from './describe-server';

/**
 * An agent as a protected resource (META-2): which tokens it takes and who makes them.
 * @throws {ParleyError} `not_found`, `gone`, as for the agent's card
 */
export async function describeAgent({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<ResourceMetadata> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  return {
    resource: audienceOf(agent.slug),
    resource_name: agent.name,
    authorization_servers: [env().APP_URL],
    bearer_methods_supported: ['header'],
    scopes_supported: AGENT_SCOPES,
    dpop_signing_alg_values_supported: DPOP_ALGORITHMS,
  };
}
