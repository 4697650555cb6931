import type { AgentRecord } from '../../catalog';
import { noticePollMs, onNoticeGap, subscribe } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { childController, createWakeup } from '../../platform/runtime/abort';
import { isTerminal } from '../../protocol/a2a/core/model';
import { ownerOf, requireCaller } from '../authorization';
import { TAIL_POLL_MS } from '../limits';
import { findContextTasks, findTask } from '../store/find-tasks';
import { contextKey, type StoredEvent, type TaskRecord } from '../store/records';
import { loadTask, readEvents } from '../store/task-events';
import { tailTask } from './tail-task';

/** A task of a context with all its events. */
export interface ContextTask {
  id: string;
  createdAt: Date;
  events: StoredEvent[];
}

/** Events of one task of a followed context. Empty if the batch only announces the task. */
export interface ContextBatch {
  task: Pick<TaskRecord, 'id' | 'createdAt'>;
  /** The last sequence number of the batch. */
  seq: number;
  events: StoredEvent[];
}

interface ContextInput {
  agent: Pick<AgentRecord, 'id'>;
  contextId: string;
}

/** A task of a context without its events. */
export type ContextTaskSummary = Pick<TaskRecord, 'id' | 'contextId' | 'createdAt' | 'lastSeq' | 'state'>;

/** Lists the tasks in one of the caller's contexts in creation order; none for an unknown context. */
export async function listContextTasks({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ContextInput;
}): Promise<ContextTaskSummary[]> {
  const caller = requireCaller(ctx, input.agent);
  return withStreamedSeqs(await findContextTasks(ownerOf(caller), input.contextId));
}

/** Sets the last sequence number of tasks whose latest events are only in the event stream. */
function withStreamedSeqs(records: TaskRecord[]): Promise<TaskRecord[]> {
  return Promise.all(
    records.map(async (record) => {
      if (record.streamKey === null) return record;
      const streamed = await readEvents(record, record.lastSeq);
      return { ...record, lastSeq: streamed.at(-1)?.seq ?? record.lastSeq };
    }),
  );
}

interface TaskIdsInput {
  agent: Pick<AgentRecord, 'id'>;
  taskIds: string[];
}

/** Returns these tasks with their events. Tasks of other principals are omitted. */
export async function readContextTasks({ ctx, input }: { ctx: Ctx; input: TaskIdsInput }): Promise<ContextTask[]> {
  const caller = requireCaller(ctx, input.agent);
  const owner = ownerOf(caller);
  const found = await Promise.all(
    input.taskIds.map(async (id) => {
      const record = await findTask(owner, id);
      return record ? [{ id, createdAt: record.createdAt, events: (await loadTask(record)).events }] : [];
    }),
  );
  return found.flat();
}

interface TailInput extends ContextInput {
  /** Returns the last sequence number of a task that the reader has seen. */
  seqOf: (task: TaskRecord) => number;
}

/**
 * Follows all tasks of a context, including new ones: missed events first, then live ones. Each task is announced by a
 * batch without events. If several tasks are found at once, all are announced before any of their events. Ends when
 * `ctx.signal` aborts.
 */
export async function* tailContext({ ctx, input }: { ctx: Ctx; input: TailInput }): AsyncGenerator<ContextBatch[]> {
  const caller = requireCaller(ctx, input.agent);
  const owner = ownerOf(caller);
  const controller = childController(ctx.signal);
  const { signal } = controller;
  const queue: ContextBatch[] = [];
  const followed = new Set<string>();
  let failure: unknown;
  const wakeup = createWakeup();

  async function findNewTasks(): Promise<void> {
    const found = (await withStreamedSeqs(await findContextTasks(owner, input.contextId)))
      .map((record) => ({ record, seq: input.seqOf(record) }))
      .filter(({ record, seq }) => !followed.has(record.id) && !(isTerminal(record.state) && seq >= record.lastSeq));
    for (const { record, seq } of found) {
      followed.add(record.id);
      queue.push({ task: record, seq, events: [] });
    }
    wakeup.notify();
    for (const { record, seq } of found) guard(follow(record, seq));
  }

  async function follow(record: TaskRecord, after: number): Promise<void> {
    for await (const events of tailTask(record, after, { signal })) {
      queue.push({ task: record, seq: events.at(-1)?.seq ?? after, events });
      wakeup.notify();
    }
  }

  function guard(work: Promise<void>): void {
    work.catch((error: unknown) => {
      failure = error;
      controller.abort();
    });
  }

  const poll = (): void => guard(findNewTasks());
  const key = contextKey({ ...owner, contextId: input.contextId });
  const unsubscribes = [subscribe('context', key, poll), onNoticeGap(poll)];
  signal.addEventListener('abort', wakeup.notify, { once: true });
  const pollTimer = setInterval(poll, noticePollMs(TAIL_POLL_MS));
  pollTimer.unref();
  try {
    await findNewTasks();
    while (!signal.aborted) {
      const woken = wakeup.arm();
      if (queue.length > 0) yield queue.splice(0);
      else await woken;
    }
    if (failure !== undefined) throw failure;
  } finally {
    controller.abort();
    clearInterval(pollTimer);
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
}
