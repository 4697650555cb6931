import { findAgent, isHubUrl, requireVisible } from '../catalog';
import type { PresenceView } from '../catalog/schema';
import { createCache } from '../platform/cache';
import type { Ctx } from '../platform/context';
import { PRESENCE_CACHE_SIZE } from './limits';
import { sessionsOf } from './runs/sessions';
import { type PresenceRecord, selectPresence } from './store/workers';

/** Cached presences, invalidated by a notification of each connect and disconnect. */
const presences = createCache<PresenceRecord>({
  topic: 'hub-worker',
  max: PRESENCE_CACHE_SIZE,
  load: (agentId) => selectPresence(agentId),
});

/** The presence of an agent: `online` if its workers are connected to any node. */
interface Presence {
  online: boolean;
  everConnected: boolean;
}

/**
 * Returns an agent's presence. Never returns `offline` from the cache, because the notification of a worker that
 * connected to another node may still be on its way.
 */
export async function findPresence(agentId: string): Promise<Presence> {
  if (sessionsOf(agentId).some(({ draining }) => !draining)) return { online: true, everConnected: true };
  if (presences.peek(agentId)?.workers === 0) presences.invalidate(agentId);
  const { workers, connectedAt } = await presences.get(agentId);
  return { online: workers > 0, everConnected: connectedAt !== null };
}

/**
 * Returns an agent's presence, for callers who may see the agent; null for an agent with its own URL.
 * @throws {ParleyError} `not_found`; `gone` if it was public before it was withdrawn
 */
export async function getPresence({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<PresenceView | null> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  if (!isHubUrl(agent.url)) return null;
  const { workers, connectedAt } = await presences.get(agent.id);
  return { online: workers > 0, workers, connectedAt: connectedAt?.toISOString() ?? null };
}
