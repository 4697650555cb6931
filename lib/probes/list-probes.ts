import { findAgent, requireRole } from '../catalog';
import { authorize } from '../identity';
import type { Ctx } from '../platform/context';
import type { ProbeView } from './schema';
import { type ProbeRecord, selectProbes } from './store';

/**
 * Lists an agent's latest probes for its team, newest first, with the reason for each failure.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other teams' agents)
 */
export async function listProbes({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string; failed: boolean; limit: number };
}): Promise<ProbeView[]> {
  const agent = requireRole(authorize(ctx.actor, { scope: 'agents:read' }), await findAgent(input.slug), 'viewer');
  return (await selectProbes(agent.id, input)).map(toView);
}

function toView({ agentId: _agentId, at, failure, ...probe }: ProbeRecord): ProbeView {
  const { exchange, ...reason } = failure ?? { exchange: null, code: '', message: '' };
  return { ...probe, failure: failure && { ...reason, wire: exchange }, at: at.toISOString() };
}
