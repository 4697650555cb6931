import { findAgentById } from '../catalog';
import { readStory } from '../gateway';
import { sha256 } from '../platform/crypto';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { shareNotFound } from './errors';
import type { SharedThread } from './schema';
import { findShareByToken } from './store/shares';
import { toSharedThread } from './to-shared';

/**
 * What a link shows, to whoever has it.
 * @throws {ParleyError} `not_found` alike for links that never were, were revoked, or whose conversation was deleted
 */
export async function getSharedThread({ input }: { input: { token: string } }): Promise<SharedThread> {
  const share = await findShareByToken(sha256(input.token));
  const agent = share && (await findAgentById(share.agentId));
  if (!share || !agent) throw shareNotFound();
  const stories = await Promise.all(
    share.tasks.map(async ([id, until]) => {
      const events: TaskEvent[] = [];
      for await (const { seq, event } of readStory(id)) if (seq <= until) events.push(event);
      return { id, events };
    }),
  );
  return toSharedThread(share.title, agent, stories);
}
