import { takeSlot } from '../limits';
import { subscribe } from '../platform/bus';
import type { CallerActor, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { statusOf } from '../protocol/a2a/core/events';
import { endsTurn } from '../protocol/a2a/core/model';
import { isCredentialActive } from '../tokens';
import { MAX_STREAMS } from './policy';
import type { StoredEvent, TaskRecord } from './store/records';
import type { StreamItem, TaskStream } from './stream-item';
import { tailTask } from './tail-task';

export interface OpenStream {
  tail(taskId: string, after: number): AsyncGenerator<StoredEvent[]>;
  /** Yields `first`, then the tail up to the end of the turn, and gives the place back when it is left. */
  follow(record: TaskRecord, first: StreamItem[], tail: AsyncGenerator<StoredEvent[]>): TaskStream;
  /** A stream of these items alone. */
  close(record: TaskRecord, items: StreamItem[]): TaskStream;
  release(): void;
}

/**
 * Takes one of the caller's places for streams; `signal` aborts within a second of the end of the caller's session, access
 * token or account, and when the caller leaves. A token that merely expires does not end it.
 * @throws {ParleyError} `too_many_streams`
 */
export function takeStream(ctx: Ctx, caller: CallerActor): { signal: AbortSignal; release: () => void } {
  const give = takeSlot('streams', caller.principal, MAX_STREAMS);
  if (!give) {
    throw new ParleyError('too_many_streams', `You have ${MAX_STREAMS} open streams. Close one first.`, {
      retryAfter: 5,
    });
  }
  const revoked = new AbortController();
  const check = (): void => void endIfRevoked(caller, revoked);
  const leave = [subscribe('credential', caller.credentialId, check), subscribe('user', caller.principal, check)];
  const release = (): void => {
    give();
    for (const stop of leave) stop();
  };
  return { signal: AbortSignal.any([ctx.signal, revoked.signal]), release };
}

/**
 * A place for a stream, and the streams that may take it.
 * @throws {ParleyError} `too_many_streams`
 */
export function openStream(ctx: Ctx, caller: CallerActor): OpenStream {
  const { signal, release } = takeStream(ctx, caller);
  return {
    release,
    tail: (taskId, after) => tailTask(taskId, after, signal),
    close: (record, items) => streamOf(record, only(items, release)),
    follow: (record, first, tail) => streamOf(record, untilTurnEnds(first, tail, release)),
  };
}

function streamOf({ id, contextId }: TaskRecord, batches: AsyncGenerator<StreamItem[]>): TaskStream {
  return { taskId: id, contextId, batches };
}

async function* only(items: StreamItem[], release: () => void): AsyncGenerator<StreamItem[]> {
  release();
  yield items;
}

async function* untilTurnEnds(
  first: StreamItem[],
  tail: AsyncGenerator<StoredEvent[]>,
  release: () => void,
): AsyncGenerator<StreamItem[]> {
  try {
    yield first;
    if (endsHere(first)) return;
    for await (const batch of tail) {
      yield batch;
      if (endsHere(batch)) return;
    }
  } finally {
    release();
    await tail.return(undefined);
  }
}

async function endIfRevoked(caller: CallerActor, revoked: AbortController): Promise<void> {
  if (!(await isCredentialActive(caller.credentialId, new Date()))) revoked.abort();
}

/** True when the last state within the batch ends the turn. */
function endsHere(batch: StreamItem[]): boolean {
  const status = batch
    .map((item) => ('event' in item ? statusOf(item.event) : item.task.status))
    .findLast((found) => found !== null);
  return status !== undefined && status !== null && endsTurn(status.state);
}
