import { findAgent, requireOwned } from '../catalog';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { ProbeView } from './schema';
import { type ProbeRecord, selectProbes } from './store/probes';

/**
 * The latest probes of one's own agent, newest first, with what failed.
 * @throws {ParleyError} `unauthenticated`; `not_found` for unknown agents and those of others alike
 */
export async function listProbes({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string; failed: boolean; limit: number };
}): Promise<ProbeView[]> {
  if (ctx.actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  const agent = requireOwned(ctx.actor, await findAgent(input.slug));
  return (await selectProbes(agent.id, input)).map(toView);
}

function toView({ agentId: _agentId, at, ...probe }: ProbeRecord): ProbeView {
  return { ...probe, at: at.toISOString() };
}
