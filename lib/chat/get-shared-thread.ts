import { findAgentById } from '../catalog';
import { streamTaskEvents } from '../gateway';
import { sha256 } from '../platform/crypto';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { shareNotFound } from './errors';
import type { SharedThread } from './schema';
import { findShareByToken } from './store/shares';
import { type SharedTask, toSharedThread } from './to-shared';

/**
 * What a link shows, to whoever has it.
 * @throws {ParleyError} `not_found` alike for links that never were, were revoked, or whose conversation was deleted
 */
export async function getSharedThread({ input }: { input: { token: string } }): Promise<SharedThread> {
  const share = await findShareByToken(sha256(input.token));
  const agent = share && (await findAgentById(share.agentId));
  if (!share || !agent) throw shareNotFound();
  const sharedTasks: SharedTask[] = [];
  // One after another and without their files: whoever has the link decides how often this is done.
  for (const [id, until] of share.tasks) sharedTasks.push({ id, events: await eventsUntil(id, until) });
  return toSharedThread(share.title, agent, sharedTasks);
}

async function eventsUntil(id: string, until: number): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const { seq, event } of streamTaskEvents(id)) {
    if (seq > until) break;
    events.push(withoutBytes(event));
  }
  return events;
}

/** Of files a link shows the name alone. */
function withoutBytes(event: TaskEvent): TaskEvent {
  if (event.type !== 'artifact') return event;
  const parts = event.artifact.parts.map((part) => (part.kind === 'bytes' ? { ...part, bytes: '' } : part));
  return { ...event, artifact: { ...event.artifact, parts } };
}
