import { acquireStreamSlot, tailContext } from '../gateway';
import { childController } from '../platform/abort';
import type { Ctx } from '../platform/context';
import { isFinal } from '../protocol/a2a/core/events';
import { ThreadCursor } from './cursor';
import { loadThread } from './load-thread';
import { mergeChunks } from './merge-chunks';
import type { ThreadUpdate } from './schema';

/** What came, and the cursor that a reader who has seen it comes back with. */
export interface SeenUpdate {
  cursor: string;
  update: ThreadUpdate;
}

export interface FollowedThread {
  updates: AsyncGenerator<SeenUpdate[]>;
  /** Ends the stream; safe to call more than once. */
  close: () => void;
}

/**
 * Follows a conversation: first what was missed after the cursor, then what comes, in every tab and from every device. Ends
 * within a second of the end of the person's session. A reader who leaves touches no task.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `too_many_streams`; `invalid_request` for a bad cursor
 */
export async function followThread(call: {
  ctx: Ctx;
  input: { id: string; branch?: string | null; after: string | null };
}): Promise<FollowedThread> {
  const { ctx, input } = call;
  const { caller: actor, contextId, agent } = await loadThread(ctx, input);
  const cursor = ThreadCursor.parse(input.after, ctx.now);
  const { signal, release } = await acquireStreamSlot(ctx, actor);
  const readerAbort = childController(signal);
  const reader: Ctx = { ...ctx, actor, signal: readerAbort.signal };

  async function* updates(): AsyncGenerator<SeenUpdate[]> {
    try {
      const batches = tailContext({ ctx: reader, input: { agent, contextId, seqOf: (task) => cursor.seqOf(task) } });
      for await (const batch of batches) {
        const seen = batch.flatMap(({ task, seq, events }): SeenUpdate[] => {
          const last = events.at(-1);
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

  return {
    updates: updates(),
    close() {
      readerAbort.abort();
      release();
    },
  };
}
