import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { shownOf } from './card-version';
import { findAgent } from './find-agent';
import { requirePerson, requireRole } from './policy';
import type { AgentView } from './schema';
import { changeAgent } from './store/agents';
import { selectVersion, selectWatch } from './store/card-watch';
import { toView } from './to-wire';

/**
 * Takes the card that waits for its owner's word: from here on it is the listed one.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`, `forbidden`; `conflict`
 *   when no card waits, or another one than is meant
 */
export async function acceptCard({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; digest: string };
}): Promise<AgentView> {
  const user = requirePerson(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  const waiting = (await selectWatch(agent.id))?.waiting;
  if (!waiting) throw new ParleyError('conflict', 'No card of this agent waits for your word.');
  if (waiting.digest !== input.digest) {
    const text = `Another card has come since: its digest is ${waiting.digest}. Look at it and accept that one.`;
    throw new ParleyError('conflict', text, { data: { digest: waiting.digest } });
  }
  const version = await selectVersion(waiting.versionId);
  if (!version) throw new ParleyError('conflict', 'The card that waited is gone. Look again in a moment.');
  const changes = { ...shownOf(version), updatedAt: ctx.now };
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card'] });
  const accepted = await changeAgent(agent, changes, { version: { waitingId: waiting.versionId }, audit });
  return toView(accepted, await selectWatch(agent.id));
}
