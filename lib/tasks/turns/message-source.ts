import type { CallerActor } from '../../platform/context';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import type { SendInput } from '../runs/send-input';
import { findAnsweredMessage } from '../store/task-events';

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
