import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { toRecordSummary } from '../agents/agent-views';
import { findAgent } from '../agents/find-agent';
import { isListed } from '../authorization';
import { MAX_PUBLISHER_LISTINGS } from '../limits';
import { slugFault } from '../names/folded-text';
import type { PublisherInput, PublisherPage, PublisherProfile } from '../schema-team';
import {
  type PublisherRecord,
  savePublisher,
  selectListedOf,
  selectPublisher,
  selectPublisherByHandle,
} from '../store/publisher-rows';

/**
 * Returns a publisher with their public listings and the hosts that they have proved to control.
 * @throws {ParleyError} `not_found`
 */
export async function getPublisher({ input }: { input: { handle: string } }): Promise<PublisherPage> {
  const publisher = await selectPublisherByHandle(input.handle.toLowerCase());
  if (!publisher) throw publisherNotFound();
  const slugs = await selectListedOf(publisher.userId, MAX_PUBLISHER_LISTINGS);
  const found = await Promise.all(slugs.map(findAgent));
  const agents = found.filter((agent) => agent !== null && isListed(agent)).filter((agent) => agent !== null);
  const verified = agents.filter(({ badges }) => badges.includes('verified'));
  const hosts = [...new Set(verified.map(({ url }) => new URL(url).host))].sort();
  return {
    ...toProfile(publisher),
    joinedAt: publisher.createdAt.toISOString(),
    hosts,
    agents: agents.map(toRecordSummary),
  };
}

/**
 * Returns the user's own publisher profile for editing; null if they never listed an agent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getOwnPublisher({ ctx }: { ctx: Pick<Ctx, 'actor'> }): Promise<PublisherProfile | null> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const publisher = await selectPublisher(userId);
  return publisher && { ...toProfile(publisher), name: publisher.ownName ?? '' };
}

/**
 * Sets the user's publisher profile.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `invalid_request` for an invalid handle, `conflict`
 *   if the handle is taken
 */
export async function setPublisher({ ctx, input }: { ctx: Ctx; input: PublisherInput }): Promise<PublisherProfile> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const handleError = slugFault(input.handle);
  if (handleError !== null) {
    const message = handleError.replace('my-cool-agent', 'my-name').replace('The slug', 'The handle');
    throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/handle', message }] } });
  }
  const { handle, name, bio, link } = input;
  const saved = await savePublisher(userId, { handle, name: name || null, bio, link: link || null }, ctx.now);
  if (saved) return { handle, name, bio, link: link || null };
  throw new ParleyError('conflict', `The handle "${handle}" is taken. Choose another one.`);
}

function toProfile({ handle, name, bio, link }: PublisherRecord): PublisherProfile {
  return { handle, name, bio, link };
}

function publisherNotFound(): ParleyError {
  return new ParleyError('not_found', 'Publisher not found. Check the handle.');
}
