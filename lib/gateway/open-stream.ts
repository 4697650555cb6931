import { takePlace } from '../limits';
import { controllerUnder } from '../platform/abort';
import type { CallerActor, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { statusOf } from '../protocol/a2a/core/events';
import { endsTurn, type TaskState } from '../protocol/a2a/core/model';
import { onCredentialChange } from '../tokens';
import { LONGEST_WAIT_MS } from './longest-wait';
import { streamPlaces } from './policy';
import type { StoredEvent, TaskRecord } from './store/records';
import type { StreamItem, TaskStream } from './stream-item';
import { tailTask } from './tail-task';

/** A tail, and what it was asked for already. */
interface Tail {
  batches: AsyncGenerator<StoredEvent[]>;
  next?: Promise<IteratorResult<StoredEvent[]>>;
  /** Goes on although the first items say that the turn is over: what comes next is waited for. */
  waits?: boolean;
}

interface Place {
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
export async function takeStream(ctx: Ctx, caller: CallerActor): Promise<Place> {
  const give = await takePlace(streamPlaces, caller.principal);
  if (!give) {
    const { name, most } = streamPlaces;
    const limit = { name, quota: most, unit: 'concurrent-requests' as const };
    const text = `You have ${most} open streams. Close one first.`;
    throw new ParleyError('too_many_streams', text, { retryAfter: 5, limit });
  }
  const ended = controllerUnder(ctx.signal);
  const stop = onCredentialChange(caller, () => ended.abort());
  const release = (): void => {
    give();
    stop();
  };
  // A stream that is left before anything was asked of it runs no `finally`.
  ended.signal.addEventListener('abort', release, { once: true });
  // Who left while the place was looked for is told of by no event any more.
  if (ended.signal.aborted) release();
  return { signal: ended.signal, release };
}

/** True for the states that a stream ends with. */
type Ends = (state: TaskState) => boolean;

/** For streams that wait for more than the end of a turn. */
function forAWhile({ signal, release }: Place): Place {
  const ended = controllerUnder(signal);
  const patience = setTimeout(() => ended.abort(), LONGEST_WAIT_MS).unref();
  return {
    signal: ended.signal,
    release: () => {
      clearTimeout(patience);
      release();
    },
  };
}

/**
 * A place for a stream, and the streams that may take it. It ends with a state that `ends` it, that of a turn by default.
 * @throws {ParleyError} `too_many_streams`
 */
export async function openStream(ctx: Ctx, caller: CallerActor, ends: Ends = endsTurn): Promise<OpenStream> {
  const taken = await takeStream(ctx, caller);
  const { signal, release } = ends === endsTurn ? taken : forAWhile(taken);
  return {
    release,
    tail: (taskId, after) => tailTask(taskId, after, { signal }),
    close: (record, items) => streamOf(record, only(items, release)),
    follow: (record, first, tail) => streamOf(record, untilItEnds(first, tail, { release, ends })),
  };
}

function streamOf({ id, contextId }: TaskRecord, batches: AsyncGenerator<StreamItem[]>): TaskStream {
  return { taskId: id, contextId, batches };
}

async function* only(items: StreamItem[], release: () => void): AsyncGenerator<StreamItem[]> {
  release();
  yield items;
}

async function* untilItEnds(
  first: StreamItem[],
  { batches, next, waits = false }: Tail,
  { release, ends }: { release: () => void; ends: Ends },
): AsyncGenerator<StreamItem[]> {
  try {
    yield first;
    if (!waits && endsHere(first, ends)) return;
    for (let come = await (next ?? batches.next()); !come.done; come = await batches.next()) {
      yield come.value;
      if (endsHere(come.value, ends)) return;
    }
  } finally {
    release();
    await batches.return(undefined);
  }
}

/** True when the last state within the batch is one that the stream ends with. */
function endsHere(batch: StreamItem[], ends: Ends): boolean {
  const status = batch
    .map((item) => ('event' in item ? statusOf(item.event) : item.task.status))
    .findLast((found) => found !== null);
  return status !== undefined && status !== null && ends(status.state);
}
