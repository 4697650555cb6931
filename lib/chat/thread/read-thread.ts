import { mergeBatches } from '../../platform/batches';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { childController } from '../../platform/runtime/abort';
import { isFinal, type TaskEvent } from '../../protocol/a2a/core/events';
import { mergeParts } from '../../protocol/a2a/core/message-parts';
import { isTerminal } from '../../protocol/a2a/core/model';
import { acquireStreamSlot, followChains, readContextTasks, tailContext, viewChains } from '../../tasks';
import type { ChainView } from '../../tasks/schema-chains';
import { toChatAgent } from '../conversations/chat-agent';
import { toConversationView } from '../conversations/conversations';
import { CURSOR_SETTLE_MS, THREAD_PAGE_SIZE } from '../limits';
import type { BranchView, ThreadEvent, ThreadUpdate, ThreadView } from '../schema-thread';
import { findFeedback } from '../store/feedback-rows';
import { type LoadedThread, loadThread, toBranchView } from './load-thread';

interface ThreadInput {
  id: string;
  /** The branch to read, by default the one with the latest message. */
  branch?: string | null;
  /** Reads the page before this task. */
  before?: string | null;
  /** Extends the page back to this task, or to the fork of the branch with this context id. */
  at?: string | null;
}

/**
 * Returns the latest tasks of a conversation, and the cursor for the stream of the updates that follow.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function getThread({ ctx, input }: Call<ThreadInput>): Promise<ThreadView> {
  const thread = await loadThread(ctx, input, 'chat');
  const { conversation, agent, caller } = thread;
  const branch = toBranchView(thread);
  const at = taskAt(thread, branch, input.at ?? null);
  const { from, to } = pageOf(thread, input.before ?? null, at);
  const ids = thread.tasks.slice(from, to).map(({ id }) => id);
  const [tasks, chains, feedback] = await Promise.all([
    readContextTasks({ ctx: { ...ctx, actor: caller }, input: { agent, taskIds: ids } }),
    viewChains(caller.principal, ids),
    findFeedback(conversation, ids),
  ]);
  const cursor = ThreadCursor.parse(null, ctx.now);
  // The stream covers only this branch's own context. Tasks before the fork receive no more events here.
  const ownTasks = thread.tasks.filter(({ contextId }) => contextId === thread.contextId);
  for (const task of ownTasks) cursor.advance(task, 0, false);
  const seen = new Map(tasks.map(({ id, events }) => [id, events.at(-1)]));
  for (const task of ownTasks) {
    const last = seen.get(task.id);
    cursor.advance(task, last?.seq ?? task.lastSeq, last ? isFinal(last.event) : isTerminal(task.state));
  }
  return {
    conversation: toConversationView(conversation, agent),
    agent: toChatAgent(ctx.actor, agent),
    branch,
    at,
    tasks: tasks.map(({ id, createdAt, events }) => ({
      id,
      createdAt: createdAt.toISOString(),
      events: mergeChunks(events),
    })),
    hasOlder: from > 0,
    chains,
    feedback,
    cursor: String(cursor),
  };
}

/**
 * Returns the task of this branch to which `at` refers: the task itself, or the task displayed at its fork; null if
 * there is none.
 */
function taskAt({ tasks }: LoadedThread, { forks }: BranchView, at: string | null): string | null {
  if (at === null || tasks.some(({ id }) => id === at)) return at;
  // The first version is the context that was forked, which may have other forks.
  return forks.find(({ versions: [, ...others] }) => others.includes(at))?.taskId ?? null;
}

function pageOf({ tasks }: LoadedThread, before: string | null, at: string | null): { from: number; to: number } {
  const known = before ? tasks.findIndex(({ id }) => id === before) : -1;
  const to = known < 0 ? tasks.length : known;
  const wanted = at ? tasks.findIndex(({ id }) => id === at) : -1;
  const from = Math.max(0, to - THREAD_PAGE_SIZE);
  return { from: wanted < 0 ? from : Math.min(from, wanted), to };
}

/** An update, and the cursor with which a client that has received it can resume. */
export interface SeenUpdate {
  cursor: string;
  update: ThreadUpdate;
}

interface FollowedThread {
  updates: AsyncGenerator<(SeenUpdate | ChainView)[]>;
  /** Ends the stream. Idempotent. */
  close: () => void;
}

/**
 * Streams a conversation: first the events after the cursor, then new ones, and chains of its tasks that change. Ends
 * within a second after the session ends. Closing the stream does not affect the tasks.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `too_many_streams`; `invalid_request`
 */
export async function followThread(call: {
  ctx: Ctx;
  input: { id: string; branch?: string | null; after: string | null };
}): Promise<FollowedThread> {
  const { ctx, input } = call;
  const { caller: actor, contextId, agent, tasks } = await loadThread(ctx, input, 'chat');
  const cursor = ThreadCursor.parse(input.after, ctx.now);
  const { signal, release } = await acquireStreamSlot(ctx, actor);
  const readerAbort = childController(signal);
  const reader: Ctx = { ...ctx, actor, signal: readerAbort.signal };
  const shown = new Set(tasks.map(({ id }) => id));

  async function* events(): AsyncGenerator<SeenUpdate[]> {
    try {
      const batches = tailContext({ ctx: reader, input: { agent, contextId, seqOf: (task) => cursor.seqOf(task) } });
      for await (const batch of batches) {
        const seen = batch.flatMap(({ task, seq, events }): SeenUpdate[] => {
          const last = events.at(-1);
          shown.add(task.id);
          cursor.advance(task, seq, last !== undefined && isFinal(last.event));
          if (!last) return [];
          const update = { taskId: task.id, createdAt: task.createdAt.toISOString(), events: mergeChunks(events) };
          return [{ cursor: String(cursor), update }];
        });
        if (seen.length > 0) yield seen;
      }
    } finally {
      release();
    }
  }

  // Only recent chains can be open. Older ones change only if an agent makes a call.
  const rootTaskIds = tasks.slice(-THREAD_PAGE_SIZE).map(({ id }) => id);
  const isRoot = (taskId: string): boolean => shown.has(taskId);
  const chains = followChains(actor.principal, { rootTaskIds, isRoot, signal: readerAbort.signal });
  return {
    updates: mergeBatches<SeenUpdate | ChainView>(events(), chains, () => readerAbort.abort()),
    close() {
      readerAbort.abort();
      release();
    },
  };
}

type Chunk = TaskEvent & { type: 'artifact' };

/**
 * Merges adjacent chunks of one artifact into one event, so that an answer that was streamed in tokens is short when
 * read again.
 */
export function mergeChunks(events: Pick<ThreadEvent, 'seq' | 'event'>[]): ThreadEvent[] {
  const merged: ThreadEvent[] = [];
  for (const { seq, event } of events) {
    const last = merged.at(-1);
    if (last?.event.type === 'artifact' && event.type === 'artifact' && isContinuation(last.event, event)) {
      merged[merged.length - 1] = { seq, from: last.from ?? last.seq, event: mergePair(last.event, event) };
    } else {
      merged.push({ seq, event });
    }
  }
  return merged;
}

function isContinuation(first: Chunk, next: Chunk): boolean {
  return next.append && first.artifact.artifactId === next.artifact.artifactId;
}

function mergePair(first: Chunk, next: Chunk): Chunk {
  const parts = mergeParts(first.artifact.parts, next.artifact.parts);
  return { ...first, artifact: { ...first.artifact, parts }, lastChunk: next.lastChunk };
}

/** A reference to a task of the gateway. */
interface TaskRef {
  id: string;
  createdAt: Date;
  lastSeq: number;
}

interface Position {
  /** The creation time of the task, milliseconds since 1970. */
  createdAt: number;
  seq: number;
  /** True if the task's final event was received. */
  finished: boolean;
}

/**
 * A client's position in a conversation, as the `id:` of an event stream: a time before which every task is finished
 * and received, and the positions in all other tasks. Its size does not grow with the conversation.
 */
export class ThreadCursor {
  private constructor(
    private before: number,
    private readonly positions: Map<string, Position>,
  ) {}

  /**
   * Parses a client's cursor. Null or an empty text is the start.
   * @throws {ParleyError} `invalid_request` for a malformed cursor
   */
  static parse(text: string | null, now: Date): ThreadCursor {
    if (text === null || text === '') return new ThreadCursor(0, new Map());
    const [time = '', ...entries] = text.split('.');
    const positions = entries.map(parseEntry);
    if (!/^[0-9a-z]{1,9}$/.test(time) || positions.includes(null)) {
      const found = `Last-Event-ID: found "${text.slice(0, 40)}"; expected an ID of this stream, or no header.`;
      throw new ParleyError('invalid_request', found);
    }
    // A time in the future would hide future tasks.
    const before = Math.min(Number.parseInt(time, 36), now.getTime() - CURSOR_SETTLE_MS);
    return new ThreadCursor(before, new Map(positions.filter((position) => position !== null)));
  }

  /**
   * Returns the last received sequence number of a task. An impossible position counts as 0, so that no event is
   * skipped.
   */
  seqOf({ id, createdAt, lastSeq }: TaskRef): number {
    const position = this.positions.get(id);
    if (!position) return createdAt.getTime() <= this.before ? lastSeq : 0;
    return position.seq <= lastSeq ? position.seq : 0;
  }

  /**
   * Records a position in a task. All tasks of one query must be recorded with `seq` 0 before the events of any of them
   * are read.
   */
  advance(task: { id: string; createdAt: Date }, seq: number, finished: boolean): void {
    this.positions.set(task.id, { createdAt: task.createdAt.getTime(), seq, finished });
    const newest = Math.max(...[...this.positions.values()].map(({ createdAt }) => createdAt));
    this.before = Math.max(this.before, newest - CURSOR_SETTLE_MS);
    for (const [id, position] of this.positions) {
      if (position.finished && position.createdAt <= this.before) this.positions.delete(id);
    }
  }

  /** Returns printable ASCII without spaces, which is valid as an SSE `id:` and as a header value. */
  toString(): string {
    return [this.before.toString(36), ...[...this.positions].map(formatEntry)].join('.');
  }
}

const entryPattern = /^([\w-]{22}):([0-9a-z]{1,9}):([0-9a-z]{1,6}):([oc])$/;

function parseEntry(text: string): [string, Position] | null {
  const [, id = '', createdAt = '', seq = '', flag] = entryPattern.exec(text) ?? [];
  const taskId = Buffer.from(id, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(taskId)) return null;
  return [taskId, { createdAt: Number.parseInt(createdAt, 36), seq: Number.parseInt(seq, 36), finished: flag === 'c' }];
}

function formatEntry([taskId, { createdAt, seq, finished }]: [string, Position]): string {
  const id = Buffer.from(taskId.replaceAll('-', ''), 'hex').toString('base64url');
  return [id, createdAt.toString(36), seq.toString(36), finished ? 'c' : 'o'].join(':');
}
