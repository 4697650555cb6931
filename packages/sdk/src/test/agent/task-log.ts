import { applyEvent, settles } from '../../serve/agent-reply.js';
import type { Message, StreamEvent, Task } from '../../wire.js';

/** A task in memory: its state, and those who follow it. */
export class TaskLog {
  task: Task;
  /** Set if the agent answered with a message instead of a task. */
  message: Message | null = null;
  /** True while a turn runs. */
  isRunning = false;
  abort = new AbortController();
  private readonly followers = new Set<(event: StreamEvent | null) => void>();

  constructor(ids: { id: string; contextId: string }) {
    this.task = { ...ids, status: { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() }, history: [] };
  }

  /** Starts a turn with a message of the caller. */
  begin(message: Message): void {
    this.isRunning = true;
    this.abort = new AbortController();
    const { history = [], ...task } = this.task;
    const asked = task.status.message ? [task.status.message] : [];
    this.task = { ...task, history: [...history, ...asked, message] };
  }

  /** Applies an event, with the ids of this task, and passes it on. */
  add(event: StreamEvent): void {
    const own = withIds(event, { taskId: this.task.id, contextId: this.task.contextId });
    if ('message' in own) this.message = own.message;
    else this.task = { ...applyEvent(this.task, own), history: this.task.history };
    for (const follow of [...this.followers]) follow(own);
    if ('message' in own || settles(own)) this.end();
  }

  /** Ends the turn: nothing more follows. */
  end(): void {
    if (!this.isRunning) return;
    this.isRunning = false;
    for (const follow of [...this.followers]) follow(null);
    this.followers.clear();
  }

  /** Calls back with each event, and with null after the last one. The returned function ends it. */
  follow(follower: (event: StreamEvent | null) => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  /** Resolves when the turn has ended. */
  async settled(): Promise<void> {
    if (!this.isRunning) return;
    await new Promise<void>((resolve) => this.follow((event) => event ?? resolve()));
  }
}

function withIds(event: StreamEvent, ids: { taskId: string; contextId: string }): StreamEvent {
  if ('statusUpdate' in event) return { statusUpdate: { ...event.statusUpdate, ...ids } };
  if ('artifactUpdate' in event) return { artifactUpdate: { ...event.artifactUpdate, ...ids } };
  if ('task' in event) return { task: { ...event.task, id: ids.taskId, contextId: ids.contextId } };
  return { message: { ...event.message, contextId: ids.contextId } };
}
