import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { requireUser } from '../policy';
import type { PublisherInput, PublisherProfile } from '../schema-publishers';
import { slugFault } from '../slug';
import { savePublisher } from '../store/publishers';

/**
 * Sets how a person is shown as the publisher of their agents.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `invalid_request` for a handle that cannot be had,
 *   `conflict` when somebody else has it
 */
export async function setPublisher({ ctx, input }: { ctx: Ctx; input: PublisherInput }): Promise<PublisherProfile> {
  const { userId } = requireUser(ctx.actor, 'agents:write');
  const fault = slugFault(input.handle);
  if (fault !== null) {
    const message = fault.replace('my-cool-agent', 'my-name').replace('The slug', 'The handle');
    throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/handle', message }] } });
  }
  const { handle, name, bio, link } = input;
  const saved = await savePublisher(userId, { handle, name: name || null, bio, link: link || null }, ctx.now);
  if (saved) return { handle, name, bio, link: link || null };
  throw new ParleyError('conflict', `The handle "${handle}" is taken. Choose another one.`);
}
