import { ParleyError } from '../platform/errors';
import { applyEvent, type TaskEvent } from '../protocol/a2a/core/events';
import { isId } from '../protocol/a2a/core/ids';
import { missingParts } from '../protocol/a2a/core/missing-parts';
import {
  endsTurn,
  isInterrupted,
  isTerminal,
  type Message,
  type Task,
  type TaskState,
} from '../protocol/a2a/core/model';
import type { AgentItem } from '../protocol/a2a/dialects';
import type { JsonObject } from '../protocol/json';

/** Turns what an agent says into events of our task: our ids, no repetitions, nothing after the end. */
export class Normaliser {
  /** A message that came within a task: the answer, if nothing follows it. */
  private held: Message | null = null;
  /** The last message of an agent that names no task, once more was said or awaited: the answer, if nothing follows it. */
  private said: Message | null = null;
  /** The agent's state at the start of a follow-up, which is still the old question; it counts only if nothing follows. */
  private heldState: (AgentItem & { type: 'task' }) | null = null;
  private started = false;
  /** Set when the agent is listened to again: what it said meanwhile in status messages alone is lost. */
  private resumed = false;
  dropped = 0;

  constructor(
    /** Our task as it stands; kept up to date. */
    readonly task: Task,
    public upstreamTaskId: string | undefined,
    /** This turn answers the agent's question. */
    private readonly continues = false,
  ) {}

  /** The agent's id of the context; undefined until it has answered. */
  upstreamContextId: string | undefined;
  /** What stands for it when the agent answers without one: the id it was sent, or ours. */
  unnamedContextId: string | undefined;

  /** True when the agent's turn is over. */
  get over(): boolean {
    return this.started && endsTurn(this.task.status.state);
  }

  /** True when the agent has said something in this turn. */
  get heard(): boolean {
    return this.started || this.held !== null;
  }

  /** True while a message of an agent that names no task is held back: it is the whole answer unless more comes. */
  get holdsMessage(): boolean {
    return this.held !== null && this.isAlone;
  }

  private get isAlone(): boolean {
    return this.upstreamTaskId === undefined && (!this.started || this.said !== null);
  }

  /** True when the task is over. */
  get closed(): boolean {
    return this.started && isTerminal(this.task.status.state);
  }

  /** Says that the agent was not heard for a while; the next status tells it. */
  resume(): void {
    this.resumed = true;
  }

  /** Events for one item; none when it belongs to another task or repeats what is known (SSE-2). */
  accept(item: AgentItem, now: Date): TaskEvent[] {
    if (this.closed || !this.isOurs(item.taskId)) {
      this.dropped += 1;
      return [];
    }
    this.upstreamTaskId ??= checkedId(item.taskId);
    this.upstreamContextId = contextIdOf(item) ?? this.upstreamContextId ?? this.unnamedContextId;
    if (this.isStale(item)) {
      this.heldState = item;
      const missing = this.missingArtifacts(item);
      for (const event of missing) applyEvent(this.task, event);
      return missing;
    }
    this.heldState = null;
    if (item.type === 'message' && item.message.messageId === this.held?.messageId) return [];
    return [...this.release(now), ...this.keep(this.translate(item, now))];
  }

  /** The event that shows a message which was held back, for readers who would wait long otherwise. */
  release(now: Date): TaskEvent[] {
    if (!this.held) return [];
    if (this.isAlone) this.said = this.held;
    // A message after a question belongs to the question.
    return this.releaseHeld(
      isInterrupted(this.task.status.state) && this.started ? this.task.status.state : 'working',
      now,
    );
  }

  /** What the end of the stream itself says: a held message was the answer. */
  finish(now: Date): TaskEvent[] {
    if (this.closed) return [];
    if (this.heldState) return this.keep([this.status(this.heldState, now.toISOString())]);
    if (this.over) return this.release(now);
    const timestamp = now.toISOString();
    if (this.held && this.isAlone && !this.started)
      return this.keep([{ type: 'reply', message: this.held, timestamp }]);
    if (!this.held && this.said && this.isAlone)
      return this.keep([{ type: 'status', status: { state: 'completed', message: this.said, timestamp } }]);
    return this.releaseHeld('completed', now);
  }

  private isStale(item: AgentItem): item is AgentItem & { type: 'task' } {
    return this.continues && !this.started && item.type === 'task' && isInterrupted(item.state);
  }

  private isOurs(taskId: string | undefined): boolean {
    return taskId === undefined || this.upstreamTaskId === undefined || taskId === this.upstreamTaskId;
  }

  private translate(item: AgentItem, now: Date): TaskEvent[] {
    switch (item.type) {
      case 'message': {
        this.held = this.own(item.message);
        return [];
      }
      case 'status': {
        const says = item.message !== null || item.metadata !== undefined || item.state !== this.task.status.state;
        return says ? [this.status(item, now.toISOString())] : [];
      }
      case 'artifact': {
        const { artifact, append, lastChunk } = item;
        return [{ type: 'artifact', artifact, append: append && this.hasArtifact(artifact.artifactId), lastChunk }];
      }
      case 'task':
        return this.reconcile(item, now.toISOString());
    }
  }

  /** The events that bring our task to the agent's snapshot: missing pieces of artifacts first, then the state. */
  private reconcile(item: AgentItem & { type: 'task' }, timestamp: string): TaskEvent[] {
    const events = this.missingArtifacts(item);
    const { state, message } = this.task.status;
    const same = state === item.state && (!item.message || isSameMessage(item.message, message));
    return same ? events : [...events, this.status(item, timestamp)];
  }

  private missingArtifacts({ artifacts }: AgentItem & { type: 'task' }): TaskEvent[] {
    const events: TaskEvent[] = [];
    for (const artifact of artifacts) {
      const ours = this.task.artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
      const rest = ours ? missingParts(ours.parts, artifact.parts) : null;
      if (!ours || rest === null) events.push({ type: 'artifact', artifact, append: false, lastChunk: true });
      else if (rest.length > 0) {
        events.push({ type: 'artifact', artifact: { ...artifact, parts: rest }, append: true, lastChunk: true });
      }
    }
    return events;
  }

  private status(item: AgentItem & { type: 'status' | 'task' }, timestamp: string): TaskEvent {
    const message = item.message ? this.own({ ...item.message, role: 'agent' }) : undefined;
    const said = item.type === 'status' ? withoutOurs(item.metadata) : undefined;
    const metadata = this.resumed ? { ...said, 'parley.resumed': true } : said;
    this.resumed = false;
    return { type: 'status', status: { state: item.state, message, timestamp }, metadata };
  }

  private releaseHeld(state: TaskState, now: Date): TaskEvent[] {
    if (!this.held) return [];
    const status = { state, message: this.held, timestamp: now.toISOString() };
    this.held = null;
    return this.keep([{ type: 'status', status }]);
  }

  private keep(events: TaskEvent[]): TaskEvent[] {
    for (const event of events) applyEvent(this.task, event);
    if (events.length > 0) this.started = true;
    return events;
  }

  private own(message: Message): Message {
    return { ...message, taskId: this.task.id, contextId: this.task.contextId };
  }

  private hasArtifact(artifactId: string): boolean {
    return this.task.artifacts.some((artifact) => artifact.artifactId === artifactId);
  }
}

/** Agents of A2A 0.1 give messages no ids: what says the same is the same. */
function isSameMessage(theirs: Message, ours: Message | undefined): boolean {
  if (!ours) return false;
  return theirs.messageId === ours.messageId || JSON.stringify(theirs.parts) === JSON.stringify(ours.parts);
}

/** Members named `parley.…` are said by Parley alone: by them clients know our words from an agent's. */
function withoutOurs(metadata: JsonObject | undefined): JsonObject | undefined {
  return metadata && Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith('parley.')));
}

/** An id that cannot be stored counts as none. */
function contextIdOf({ contextId }: AgentItem): string | undefined {
  return contextId !== undefined && isId(contextId) && contextId.isWellFormed() ? contextId : undefined;
}

/** @throws {ParleyError} `agent_misbehaved` for an id that nobody could keep */
function checkedId(id: string | undefined): string | undefined {
  if (id === undefined || isId(id)) return id;
  throw new ParleyError(
    'agent_misbehaved',
    'The agent gave its task an id that is none: expected at most 255 characters, no control characters.',
  );
}
