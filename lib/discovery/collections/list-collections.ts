import { findAgent, maySeeAgent } from '../../catalog';
import type { Ctx } from '../../platform/context';
import type { CollectionSummary } from '../schema';
import { selectOwnCollections, selectPublicCollections } from '../store/collections';
import { toCollectionSummary } from './to-wire';

const maxPublic = 60;

/**
 * The collections that everybody sees, and one's own; `agent` is a slug that is looked for in one's own.
 */
export async function listCollections({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { agent?: string };
}): Promise<{ shared: CollectionSummary[]; own: CollectionSummary[] }> {
  const { actor } = ctx;
  const agent = input.agent === undefined ? null : await findAgent(input.agent);
  const agentId = agent && maySeeAgent(actor, agent) ? agent.id : null;
  const [shared, own] = await Promise.all([
    selectPublicCollections(maxPublic),
    actor.kind === 'user' ? selectOwnCollections(actor.userId, agentId) : [],
  ]);
  return {
    shared: shared.map((collection) => toCollectionSummary(collection, actor)),
    own: own.map((collection) => ({ ...toCollectionSummary(collection, actor), holds: collection.holds })),
  };
}
