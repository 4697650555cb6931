import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { findAgent } from '../find-agent';
import { isListed, requireUser } from '../policy';
import type { PublisherPage, PublisherProfile } from '../schema-publishers';
import { type PublisherRecord, selectListedOf, selectPublisher, selectPublisherByHandle } from '../store/publishers';
import { toSummary } from '../to-wire';

/** Most listings that a publisher's page shows. */
const maxListed = 200;

/**
 * A publisher and everything of theirs that everybody can find, with the hosts that they proved to hold.
 * @throws {ParleyError} `not_found`
 */
export async function getPublisher({ input }: { input: { handle: string } }): Promise<PublisherPage> {
  const publisher = await selectPublisherByHandle(input.handle.toLowerCase());
  if (!publisher) throw publisherNotFound();
  const slugs = await selectListedOf(publisher.userId, maxListed);
  const found = await Promise.all(slugs.map(findAgent));
  const agents = found.filter((agent) => agent !== null && isListed(agent)).filter((agent) => agent !== null);
  const verified = agents.filter(({ badges }) => badges.includes('verified'));
  const hosts = [...new Set(verified.map(({ url }) => new URL(url).host))].sort();
  return { ...toProfile(publisher), joinedAt: publisher.createdAt.toISOString(), hosts, agents: agents.map(toSummary) };
}

/**
 * What a person is shown as, for themselves to change; null when they never listed an agent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getOwnPublisher({ ctx }: { ctx: Pick<Ctx, 'actor'> }): Promise<PublisherProfile | null> {
  const { userId } = requireUser(ctx.actor, 'agents:read');
  const publisher = await selectPublisher(userId);
  return publisher && { ...toProfile(publisher), name: publisher.ownName ?? '' };
}

function toProfile({ handle, name, bio, link }: PublisherRecord): PublisherProfile {
  return { handle, name, bio, link };
}

function publisherNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no publisher with this handle. Check the address.');
}
