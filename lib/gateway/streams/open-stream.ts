import { acquireSlot } from '../../limits';
import { childController } from '../../platform/abort';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { statusOf } from '../../protocol/a2a/core/events';
import { endsTurn, type TaskState } from '../../protocol/a2a/core/model';
import { onCredentialChange } from '../../tokens';
import { MAX_WAIT_MS } from '../limits';
import { streamSlots } from '../policy';
import type { StoredEvent, TaskRecord } from '../store/records';
import type { StreamItem, TaskStream } from './stream-item';
import { tailTask } from './tail-task';

/** A tail, and what it was asked for already. */
interface Tail {
  batches: AsyncGenerator<StoredEvent[]>;
  next?: Promise<IteratorResult<StoredEvent[]>>;
  /** Goes on although the first items say that the turn is over: what comes next is waited for. */
  keepOpen?: boolean;
}

interface StreamSlot {
  signal: AbortSignal;
  release: () => void;
}

export interface OpenStream {
  tail(taskId: string, after: number): AsyncGenerator<StoredEvent[]>;
  /** Yields `first`, then the tail up to its end, and gives the place back when it is left. */
  follow(record: TaskRecord, first: StreamItem[], tail: Tail): TaskStream;
  /** A stream of these items alone. */
  close(record: TaskRecord, items: StreamItem[]): TaskStream;
  release(): void;
}

/**
 * Takes one of the caller's places for streams; `signal` aborts within a second of the end of the caller's session, access
 * token or account, and when the caller leaves. A token that merely expires does not end it.
 * @throws {ParleyError} `too_many_streams`
 */
export async function acquireStreamSlot(ctx: Ctx, caller: CallerActor): Promise<StreamSlot> {
  const releaseSlot = await acquireSlot(streamSlots, caller.principal);
  if (!releaseSlot) {
    const { name, max: most } = streamSlots;
    const limit = { name, quota: most, unit: 'concurrent-requests' as const };
    const text = `You have ${most} open streams. Close one first.`;
    throw new ParleyError('too_many_streams', text, { retryAfter: 5, limit });
  }
  const controller = childController(ctx.signal);
  const unsubscribe = onCredentialChange(caller, () => controller.abort());
  const release = (): void => {
    releaseSlot();
    unsubscribe();
  };
  // A stream that is left before anything was asked of it runs no `finally`.
  controller.signal.addEventListener('abort', release, { once: true });
  // Who left while the place was looked for is told of by no event any more.
  if (controller.signal.aborted) release();
  return { signal: controller.signal, release };
}

/** True for the states that a stream ends with. */
type StreamEndPredicate = (state: TaskState) => boolean;

/** For streams that wait for more than the end of a turn. */
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
 * A place for a stream, and the streams that may take it. It ends with a state that `ends` it, that of a turn by default.
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
    tail: (taskId, after) => tailTask(taskId, after, { signal }),
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
  { batches, next, keepOpen: waits = false }: Tail,
  { release, ends }: { release: () => void; ends: StreamEndPredicate },
): AsyncGenerator<StreamItem[]> {
  try {
    yield first;
    if (!waits && reachesEnd(first, ends)) return;
    for (let result = await (next ?? batches.next()); !result.done; result = await batches.next()) {
      yield result.value;
      if (reachesEnd(result.value, ends)) return;
    }
  } finally {
    release();
    await batches.return(undefined);
  }
}

/** True when the last state within the batch is one that the stream ends with. */
function reachesEnd(batch: StreamItem[], ends: StreamEndPredicate): boolean {
  const status = batch
    .map((item) => ('event' in item ? statusOf(item.event) : item.task.status))
    .findLast((found) => found !== null);
  return status !== undefined && status !== null && ends(status.state);
}
