import type { CallerActor } from '../../platform/context';
import { answeredBy } from '../../protocol/a2a/core/events';
import type { AnsweredMessage, MessageSource } from '../../protocol/a2a/core/message-origin';
import { streamTaskEvents } from '../store/task-events';
import type { SendInput } from './turn';

/**
 * Determines the author of a message; no other code does. The author is Parley for a notice, the original author for a
 * message that a built-in agent forwards, otherwise an agent that acts for the caller, or the caller. Returns a promise
 * only if a read is required.
 */
export function sourceOf(
  { delegation }: Pick<CallerActor, 'delegation'>,
  { notice, passesOn }: Pick<SendInput, 'notice' | 'passesOn'>,
): MessageSource | Promise<MessageSource> {
  if (notice) return { origin: notice };
  if (passesOn !== undefined) return passedOnSource(passesOn);
  return { origin: delegation === undefined ? 'person' : 'agent' };
}

/**
 * Finds the source of a message that was passed on. If its author cannot be traced, it counts as written by the agent.
 */
async function passedOnSource(taskId: string): Promise<MessageSource> {
  const original = await findAnsweredMessage(taskId);
  return { origin: original?.origin ?? 'agent', passedOn: original?.key };
}

/** Finds the last message to the agent among the task's events up to `seq`; null if there is none. */
export async function findAnsweredMessage(
  taskId: string,
  seq = Number.POSITIVE_INFINITY,
): Promise<AnsweredMessage | null> {
  let latest: AnsweredMessage | null = null;
  for await (const stored of streamTaskEvents(taskId)) {
    if (stored.seq > seq) break;
    latest = answeredBy(taskId, stored) ?? latest;
  }
  return latest;
}
