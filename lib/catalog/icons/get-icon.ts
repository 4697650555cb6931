import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { findAgent } from '../find-agent';
import { isOpen, requireVisible } from '../policy';
import { selectIcon } from '../store/icons';

/**
 * An agent's picture as WebP, for everyone who may see the agent; `isPrefix` is false where nobody else may keep it.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getIcon({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<{ digest: string; bytes: Buffer; isOpen: boolean }> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const icon = agent.iconDigest === null ? null : await selectIcon(agent.id);
  if (!icon) throw new ParleyError('not_found', 'This agent has no picture.');
  return { ...icon, isOpen: isOpen(agent) };
}
