import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { summaryFieldsOf } from './card-version';
import { findAgent } from './find-agent';
import { requireRole, requireUser } from './policy';
import type { AgentView } from './schema';
import { changeAgent } from './store/agents';
import { selectCardVersion, selectRefreshState } from './store/card-refresh-state';
import { toView } from './to-wire';

/**
 * Takes the card that waits for its owner's word: from here on it is the listed one.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`, `forbidden`; `conflict`
 *   when no card waits, or another one than is meant
 */
export async function approveCardUpdate({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; digest: string };
}): Promise<AgentView> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  const pending = (await selectRefreshState(agent.id))?.pending;
  if (!pending) throw new ParleyError('conflict', 'No card of this agent waits for your word.');
  if (pending.digest !== input.digest) {
    const text = `Another card has come since: its digest is ${pending.digest}. Look at it and accept that one.`;
    throw new ParleyError('conflict', text, { data: { digest: pending.digest } });
  }
  const version = await selectCardVersion(pending.versionId);
  if (!version) throw new ParleyError('conflict', 'The card that waited is gone. Look again in a moment.');
  const changes = { ...summaryFieldsOf(version), updatedAt: ctx.now };
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card'] });
  const updated = await changeAgent(agent, changes, { version: { waitingId: pending.versionId }, audit });
  return toView(updated, await selectRefreshState(agent.id));
}
