import type { ErrorCode } from '../../platform/errors';
import { ParleyError } from '../../platform/errors';
import { type Refusal, refusalOf, statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { isInterrupted, type Message, type TaskStatus } from '../../protocol/a2a/core/model';
import type { StoredEvent } from '../store/records';

/** Where the latest turn of a task stands, as its story tells it. */
export interface LatestTurn {
  /** The caller's message that began it. */
  message: Message | null;
  /** The agent has said something since. */
  responded: boolean;
  /** What the task waited for before; null when it never waited. */
  interruptedStatus: TaskStatus | null;
}

/** Reads where the latest turn stands. */
export function latestTurnOf(events: StoredEvent[]): LatestTurn {
  const at = events.findLastIndex(({ event }) => event.type === 'message');
  const messageEvent = events[at]?.event;
  const interruptedStatus = events
    .map(({ event }) => statusOf(event))
    .findLast((status) => status && isInterrupted(status.state));
  return {
    message: messageEvent?.type === 'message' ? messageEvent.message : null,
    // The message and the status that begins the turn are written together.
    responded: events.length > at + 2,
    interruptedStatus: interruptedStatus ?? null,
  };
}

/**
 * Throws the error that a send is answered with when its turn ended with one.
 * @throws {ParleyError} the refusal, with the agent's own text and code where it answered
 */
export function throwIfRefused(event: TaskEvent | undefined): void {
  const refusal = event && refusalOf(event);
  if (refusal) throw errorOf(refusal);
}

function errorOf({ code, text, agentCode, retryAfter }: Refusal): ParleyError {
  const data = agentCode === undefined ? undefined : { agentCode };
  return new ParleyError(code as ErrorCode, text, { data, retryAfter });
}
