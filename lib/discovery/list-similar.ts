import { findAgent, requireVisible, toSummary } from '../catalog';
import type { Ctx } from '../platform/context';
import type { ListedAgentView } from './schema';
import { selectSimilar } from './store/similar';
import type { RankedAgent } from './store/summary-row';

const maxSimilar = 4;

/**
 * Agents that do what this one does, the most alike first.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
 */
export async function listSimilar({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<ListedAgentView[]> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  return (await selectSimilar(agent.id, maxSimilar)).map(toListedView);
}

export function toListedView({ agent, standing }: RankedAgent): ListedAgentView {
  return { ...toSummary(agent), standing };
}
