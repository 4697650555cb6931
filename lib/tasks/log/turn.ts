import { type ErrorCode, ParleyError } from '../../platform/errors';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import { applyEvent, type Refusal, refusalOf, statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, isInterrupted, type Message, type Task, type TaskStatus } from '../../protocol/a2a/core/model';
import type { RunHandle } from '../active/run-handle';
import { UNCHECKED_WAIT_MS } from '../limits';
import type { StoredEvent, TaskRecord } from '../store/records';
import { tailTask } from './tail-task';

/** A started turn, or the one that the same send started earlier. */
export interface Turn {
  record: TaskRecord;
  /** The task when the turn started, and its last sequence number. */
  task: Task;
  seq: number;
  /** The last event of a turn that was started earlier. */
  last?: TaskEvent;
  /** Set only if this call started the turn. */
  handle?: RunHandle;
}

/**
 * Waits for the end of the turn, for at most `waitMs` milliseconds, or until the caller's signal aborts, which is
 * checked after UNCHECKED_WAIT_MS. Updates the turn's task and returns the received events.
 */
export async function waitForTurnEnd(
  turn: Turn,
  caller: { readonly signal: AbortSignalLike },
  waitMs: number,
): Promise<StoredEvent[]> {
  if (endsTurn(turn.task.status.state) || waitMs <= 0) return [];
  const startedAt = performance.now();
  const events = await turn.handle?.completion(Math.min(waitMs, UNCHECKED_WAIT_MS));
  if (events) {
    for (const { event } of events) applyEvent(turn.task, event);
    return events;
  }
  // The run takes longer, or another writer ends the turn.
  return tailUntilTurnEnd(turn, caller.signal, Math.max(0, waitMs - (performance.now() - startedAt)));
}

async function tailUntilTurnEnd(turn: Turn, signal: AbortSignalLike, waitMs: number): Promise<StoredEvent[]> {
  const received: StoredEvent[] = [];
  for await (const batch of tailTask(turn.record, turn.seq, { signal, timeoutMs: waitMs })) {
    received.push(...batch);
    for (const { event } of batch) applyEvent(turn.task, event);
    const status = batch.map(({ event }) => statusOf(event)).findLast((found) => found !== null);
    if (status && endsTurn(status.state)) break;
  }
  return received;
}

/** The state of a task's latest turn, derived from its events. */
export interface LatestTurn {
  /** The caller's message that started the turn. */
  message: Message | null;
  /** True if the agent has sent output since. */
  responded: boolean;
  /** The last interrupted status of the task; null if it was never interrupted. */
  interruptedStatus: TaskStatus | null;
}

/** Derives the latest turn from the task's events. */
export function latestTurnOf(events: StoredEvent[]): LatestTurn {
  const at = events.findLastIndex(({ event }) => event.type === 'message');
  const messageEvent = events[at]?.event;
  const interruptedStatus = events
    .map(({ event }) => statusOf(event))
    .findLast((status) => status && isInterrupted(status.state));
  return {
    message: messageEvent?.type === 'message' ? messageEvent.message : null,
    // The message and the turn's first status are appended together.
    responded: events.length > at + 2,
    interruptedStatus: interruptedStatus ?? null,
  };
}

/**
 * Throws if the turn ended with a refusal.
 * @throws {ParleyError} the refusal, with the agent's own text and code if it responded
 */
export function throwIfRefused(event: TaskEvent | undefined): void {
  const refusal = event && refusalOf(event);
  if (refusal) throw errorOf(refusal);
}

function errorOf({ code, text, agentCode, retryAfter }: Refusal): ParleyError {
  const data = agentCode === undefined ? undefined : { agentCode };
  return new ParleyError(code as ErrorCode, text, { data, retryAfter });
}
