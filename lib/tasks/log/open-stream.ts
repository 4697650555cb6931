import { acquireSlot } from '../../limits';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { childController } from '../../platform/runtime/abort';
import { statusOf } from '../../protocol/a2a/core/events';
import { endsTurn, type Task, type TaskState } from '../../protocol/a2a/core/model';
import { onCredentialChange } from '../../tokens';
import { MAX_WAIT_MS, SLOT_RETRY_AFTER_SECONDS } from '../limits';
import { streamSlots } from '../rate-limits';
import type { StoredEvent, TaskRecord, TaskRef } from '../store/records';
import { tailTask } from './tail-task';

/** A tail, and its first pending read, if any. */
interface Tail {
  batches: AsyncGenerator<StoredEvent[]>;
  next?: Promise<IteratorResult<StoredEvent[]>>;
  /** True to wait for more items even if the first items end the turn. */
  keepOpen?: boolean;
}

interface StreamSlot {
  signal: AbortSignal;
  release: () => void;
}

export interface OpenStream {
  tail(task: TaskRef, after: number): AsyncGenerator<StoredEvent[]>;
  /** Yields `first`, then the tail until its end. Releases the slot when closed. */
  follow(record: TaskRecord, first: StreamItem[], tail: Tail): TaskStream;
  /** Returns a stream of only these items. */
  close(record: TaskRecord, items: StreamItem[]): TaskStream;
  release(): void;
}

/**
 * Acquires one of the caller's stream slots. The slot's `signal` aborts when the caller disconnects, and within a
 * second after the session, access token or account is revoked. The expiry of a token does not abort it.
 * @throws {ParleyError} `too_many_streams`
 */
export async function acquireStreamSlot(ctx: Ctx, caller: CallerActor): Promise<StreamSlot> {
  const releaseSlot = await acquireSlot(streamSlots, caller.principal);
  if (!releaseSlot) {
    const { name, max } = streamSlots;
    const limit = { name, quota: max, unit: 'concurrent-requests' as const };
    const text = `You have ${max} open streams. Close one first.`;
    throw new ParleyError('too_many_streams', text, { retryAfter: SLOT_RETRY_AFTER_SECONDS, limit });
  }
  const controller = childController(ctx.signal);
  const unsubscribe = onCredentialChange(caller, () => controller.abort());
  const release = (): void => {
    releaseSlot();
    unsubscribe();
  };
  // A generator that is closed before its first read does not run `finally`.
  controller.signal.addEventListener('abort', release, { once: true });
  // An abort during the acquisition of the slot fires no event.
  if (controller.signal.aborted) release();
  return { signal: controller.signal, release };
}

/** Returns true for the states that end the stream. */
type StreamEndPredicate = (state: TaskState) => boolean;

/** Limits the duration of streams that stay open after the end of a turn. */
function withMaxDuration({ signal, release }: StreamSlot): StreamSlot {
  const controller = childController(signal);
  const timer = setTimeout(() => controller.abort(), MAX_WAIT_MS).unref();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      release();
    },
  };
}

/**
 * Acquires a stream slot, which one of the returned functions turns into a stream. The stream ends with a state for
 * which `ends` returns true, by default at the end of the turn.
 * @throws {ParleyError} `too_many_streams`
 */
export async function openStream(
  ctx: Ctx,
  caller: CallerActor,
  ends: StreamEndPredicate = endsTurn,
): Promise<OpenStream> {
  const slot = await acquireStreamSlot(ctx, caller);
  const { signal, release } = ends === endsTurn ? slot : withMaxDuration(slot);
  return {
    release,
    tail: (task, after) => tailTask(task, after, { signal }),
    close: (record, items) => streamOf(record, singleBatch(items, release)),
    follow: (record, first, tail) => streamOf(record, untilEnd(first, tail, { release, ends })),
  };
}

function streamOf({ id, contextId }: TaskRecord, batches: AsyncGenerator<StreamItem[]>): TaskStream {
  return { taskId: id, contextId, batches };
}

async function* singleBatch(items: StreamItem[], release: () => void): AsyncGenerator<StreamItem[]> {
  release();
  yield items;
}

async function* untilEnd(
  first: StreamItem[],
  { batches, next, keepOpen = false }: Tail,
  { release, ends }: { release: () => void; ends: StreamEndPredicate },
): AsyncGenerator<StreamItem[]> {
  try {
    yield first;
    if (!keepOpen && reachesEnd(first, ends)) return;
    for (let result = await (next ?? batches.next()); !result.done; result = await batches.next()) {
      yield result.value;
      if (reachesEnd(result.value, ends)) return;
    }
  } finally {
    release();
    await batches.return(undefined);
  }
}

/** Returns true if the last state in the batch ends the stream. */
function reachesEnd(batch: StreamItem[], ends: StreamEndPredicate): boolean {
  const status = batch
    .map((item) => ('event' in item ? statusOf(item.event) : item.task.status))
    .findLast((found) => found !== null);
  return status !== undefined && status !== null && ends(status.state);
}

/** An item of a stream, with its sequence number: the task snapshot, which comes first, or an event. */
export type StreamItem = { seq: number; task: Task } | StoredEvent;

/** A client's stream of one task. Closing it does not affect the task. */
export interface TaskStream {
  taskId: string;
  contextId: string;
  /**
   * Returns the task before the first item, for dialects that send whole tasks; absent if the first item is the task.
   */
  before?: () => Task;
  batches: AsyncGenerator<StreamItem[]>;
}
