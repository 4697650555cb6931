import { ParleyError } from '../../platform/errors';
import { applyEvent, type TaskEvent } from '../../protocol/a2a/core/events';
import { diffParts, hasSameContent } from '../../protocol/a2a/core/message-parts';
import {
  endsTurn,
  isId,
  isInterrupted,
  isTerminal,
  type Message,
  type Task,
  type TaskState,
} from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';

/**
 * Converts an agent's output into events of our task, with our ids, without duplicates, and without events after the
 * end.
 */
export class Normalizer {
  /** A message within a task, which is the response unless other items follow. */
  private pendingMessage: Message | null = null;
  /** The last message of an agent without a task id, once flushed. It is the response unless other items follow. */
  private lastMessage: Message | null = null;
  /**
   * The agent's snapshot at the start of a follow-up, which still contains the old question. Used only if no other
   * items follow.
   */
  private staleSnapshot: (AgentItem & { type: 'task' }) | null = null;
  private started = false;
  /** True after a reconnect, during which status messages of the agent may have been lost. */
  private resumed = false;
  /** The agent's context id; undefined until it has responded. */
  upstreamContextId: string | undefined;
  /** The context id if the agent responds without one: the id that it was sent, or ours. */
  fallbackContextId: string | undefined;

  constructor(
    /** Our task, which is updated. */
    readonly task: Task,
    public upstreamTaskId: string | undefined,
    /** True if this turn replies to the agent's question. */
    private readonly isFollowUp = false,
  ) {}

  get turnEnded(): boolean {
    return this.started && endsTurn(this.task.status.state);
  }

  /** True if the agent has sent output in this turn. */
  get hasOutput(): boolean {
    return this.started || this.pendingMessage !== null;
  }

  /** True while a message of an agent without a task id is held. It is the whole response unless more items follow. */
  get hasPendingMessage(): boolean {
    return this.pendingMessage !== null && this.isMessageOnly;
  }

  private get isMessageOnly(): boolean {
    return this.upstreamTaskId === undefined && (!this.started || this.lastMessage !== null);
  }

  get taskEnded(): boolean {
    return this.started && isTerminal(this.task.status.state);
  }

  /** Records a reconnect, which the next status reports. */
  markResumed(): void {
    this.resumed = true;
  }

  /** Returns the events for one item; none if it belongs to another task or is a duplicate. */
  accept(item: AgentItem, now: Date): TaskEvent[] {
    if (this.taskEnded || !this.isSameTask(item.taskId)) return [];
    this.upstreamTaskId ??= requireId(item.taskId);
    this.upstreamContextId = contextIdOf(item) ?? this.upstreamContextId ?? this.fallbackContextId;
    if (this.isStale(item)) {
      this.staleSnapshot = item;
      const missing = this.missingArtifacts(item);
      for (const event of missing) applyEvent(this.task, event);
      return missing;
    }
    this.staleSnapshot = null;
    if (item.type === 'message' && item.message.messageId === this.pendingMessage?.messageId) return [];
    return [...this.flushPendingMessage(now), ...this.apply(this.translate(item, now))];
  }

  /** Returns the event for a held message, so that readers do not wait for the end of the stream. */
  flushPendingMessage(now: Date): TaskEvent[] {
    if (!this.pendingMessage) return [];
    if (this.isMessageOnly) this.lastMessage = this.pendingMessage;
    // A message after a question belongs to that question.
    return this.emitPendingMessage(
      isInterrupted(this.task.status.state) && this.started ? this.task.status.state : 'working',
      now,
    );
  }

  /** Returns the events at the end of the stream. A held message is then the response. */
  finish(now: Date): TaskEvent[] {
    if (this.taskEnded) return [];
    if (this.staleSnapshot) return this.apply([this.status(this.staleSnapshot, now.toISOString())]);
    if (this.turnEnded) return this.flushPendingMessage(now);
    const timestamp = now.toISOString();
    if (this.pendingMessage && this.isMessageOnly && !this.started)
      return this.apply([{ type: 'reply', message: this.pendingMessage, timestamp }]);
    if (!this.pendingMessage && this.lastMessage && this.isMessageOnly)
      return this.apply([{ type: 'status', status: { state: 'completed', message: this.lastMessage, timestamp } }]);
    return this.emitPendingMessage('completed', now);
  }

  private isStale(item: AgentItem): item is AgentItem & { type: 'task' } {
    return this.isFollowUp && !this.started && item.type === 'task' && isInterrupted(item.state);
  }

  private isSameTask(taskId: string | undefined): boolean {
    return taskId === undefined || this.upstreamTaskId === undefined || taskId === this.upstreamTaskId;
  }

  private translate(item: AgentItem, now: Date): TaskEvent[] {
    switch (item.type) {
      case 'message': {
        this.pendingMessage = this.withTaskIds(item.message);
        return [];
      }
      case 'status': {
        const hasContent = item.message !== null || item.metadata !== undefined || item.elicitations !== undefined;
        const hasChange = hasContent || item.state !== this.task.status.state;
        return hasChange ? [this.status(item, now.toISOString())] : [];
      }
      case 'artifact': {
        const { artifact, lastChunk } = item;
        const append = item.append && this.hasArtifact(artifact.artifactId);
        return [{ type: 'artifact', artifact, append, lastChunk, metadata: withoutReservedMetadata(item.metadata) }];
      }
      case 'task':
        return this.reconcile(item, now.toISOString());
    }
  }

  /** Returns the events that update our task to the agent's snapshot: missing artifact parts first, then the state. */
  private reconcile(item: AgentItem & { type: 'task' }, timestamp: string): TaskEvent[] {
    const events = this.missingArtifacts(item);
    const { state, message } = this.task.status;
    const same =
      state === item.state && (!item.message || (message !== undefined && hasSameContent(item.message, message)));
    return same ? events : [...events, this.status(item, timestamp)];
  }

  private missingArtifacts({ artifacts }: AgentItem & { type: 'task' }): TaskEvent[] {
    const events: TaskEvent[] = [];
    for (const artifact of artifacts) {
      const ours = this.task.artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
      const rest = ours ? diffParts(ours.parts, artifact.parts) : null;
      if (!ours || rest === null) events.push({ type: 'artifact', artifact, append: false, lastChunk: true });
      else if (rest.length > 0) {
        events.push({ type: 'artifact', artifact: { ...artifact, parts: rest }, append: true, lastChunk: true });
      }
    }
    return events;
  }

  private status(item: AgentItem & { type: 'status' | 'task' }, timestamp: string): TaskEvent {
    const message = item.message ? this.withTaskIds({ ...item.message, role: 'agent' }) : undefined;
    const agentMetadata = withoutReservedMetadata(item.metadata);
    const eventMetadata = item.type === 'status' ? agentMetadata : undefined;
    const metadata = this.resumed ? { ...eventMetadata, 'parley.resumed': true } : eventMetadata;
    this.resumed = false;
    const { state, elicitations } = item;
    const status = elicitations ? { state, message, timestamp, elicitations } : { state, message, timestamp };
    const event = { type: 'status' as const, status, metadata };
    return item.type === 'task' && agentMetadata ? { ...event, taskMetadata: agentMetadata } : event;
  }

  private emitPendingMessage(state: TaskState, now: Date): TaskEvent[] {
    if (!this.pendingMessage) return [];
    const status = { state, message: this.pendingMessage, timestamp: now.toISOString() };
    this.pendingMessage = null;
    return this.apply([{ type: 'status', status }]);
  }

  private apply(events: TaskEvent[]): TaskEvent[] {
    for (const event of events) applyEvent(this.task, event);
    if (events.length > 0) this.started = true;
    return events;
  }

  private withTaskIds(message: Message): Message {
    return { ...message, taskId: this.task.id, contextId: this.task.contextId };
  }

  private hasArtifact(artifactId: string): boolean {
    return this.task.artifacts.some((artifact) => artifact.artifactId === artifactId);
  }
}

/** Removes `parley.…` members, which are reserved: clients rely on them being Parley's. */
function withoutReservedMetadata(metadata: JsonObject | undefined): JsonObject | undefined {
  const allowed = Object.entries(metadata ?? {}).filter(([name]) => !name.startsWith('parley.'));
  return allowed.length > 0 ? Object.fromEntries(allowed) : undefined;
}

/** Returns the context id, unless it cannot be stored. */
function contextIdOf({ contextId }: AgentItem): string | undefined {
  return contextId !== undefined && isId(contextId) && contextId.isWellFormed() ? contextId : undefined;
}

/**
 * Returns the id.
 * @throws {ParleyError} `agent_misbehaved` for an id that cannot be stored
 */
function requireId(id: string | undefined): string | undefined {
  if (id === undefined || isId(id)) return id;
  throw new ParleyError(
    'agent_misbehaved',
    'The agent returned an invalid task ID: expected at most 255 characters and no control characters.',
  );
}
