import { isFinal, type TaskEvent } from '../protocol/a2a/core/events';
import { endsTurn } from '../protocol/a2a/core/model';
import { addLive, type LiveTask } from './live-tasks';
import { appendEvents } from './store/append-events';
import type { TaskRecord } from './store/records';

/** Events that may wait for the disk before the agent is read on, bytes. */
const maxPendingBytes = 4 * 1_048_576;

/** Writes one run's events in order. What arrives while a commit is in flight goes into the next as one piece. */
export class TaskWriter {
  private seq: number;
  private pending: TaskEvent[] = [];
  private pendingBytes = 0;
  private flushing: Promise<void> | null = null;
  private upstreamTaskId: string | undefined;
  /** Somebody else wrote to the task: this run is over. */
  overtaken = false;

  constructor(
    private readonly task: TaskRecord,
    private readonly live: LiveTask,
  ) {
    this.seq = task.lastSeq;
  }

  /** Takes events to be written; resolves at once, or when there is room again. */
  async write(events: TaskEvent[], upstreamTaskId: string | undefined): Promise<void> {
    if (events.length === 0 || this.overtaken) return;
    this.upstreamTaskId = upstreamTaskId;
    this.pending.push(...events);
    for (const event of events) if (event.type === 'artifact') this.pendingBytes += sizeOf(event);
    this.flushing ??= this.flush();
    if (this.pendingBytes > maxPendingBytes) await this.flushing;
  }

  /** Resolves when everything taken is on disk. */
  async settled(): Promise<void> {
    while (this.flushing) await this.flushing;
  }

  private async flush(): Promise<void> {
    try {
      while (this.pending.length > 0 && !this.overtaken) {
        const events = this.pending;
        this.pending = [];
        this.pendingBytes = 0;
        await this.commit(events);
      }
    } finally {
      this.flushing = null;
    }
  }

  private async commit(events: TaskEvent[]): Promise<void> {
    const at = new Date();
    const last = events.at(-1);
    const over = last !== undefined && (isFinal(last) || (last.type === 'status' && endsTurn(last.status.state)));
    const stored = events.map((event, index) => ({ seq: this.seq + index + 1, event }));
    const done = await appendEvents({
      taskId: this.task.id,
      after: this.seq,
      events,
      runNode: over ? null : this.task.runNode,
      upstreamTaskId: this.upstreamTaskId,
      at,
      committed: () => addLive(this.live, stored),
    });
    if (!done) this.overtaken = true;
    this.seq += events.length;
  }
}

function sizeOf({ artifact }: TaskEvent & { type: 'artifact' }): number {
  return artifact.parts.reduce((sum, part) => {
    if (part.kind === 'text') return sum + part.text.length;
    return sum + (part.kind === 'bytes' ? part.bytes.length : 200);
  }, 0);
}
