import { randomUUID } from 'node:crypto';
import { type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus, type RequestContext, STATE_HEADERS_KEY } from '@a2a-js/sdk/server';
import type { Caller } from '@parley/agent';
import { ParleyUser } from './parley-user';
import { textPart } from './parts';

/** An artifact as created by agents; all members except its id, name and parts are optional. */
export type NewArtifact = Pick<Artifact, 'artifactId' | 'name' | 'parts'> & Partial<Artifact>;

/**
 * A chunk's position in its artifact: the first chunk opens the artifact, the others are appended, the last one closes
 * it.
 */
export interface ChunkPosition {
  first: boolean;
  last: boolean;
}

/**
 * One turn of a conversation: the incoming message, and the ways to respond. An agent opens the task with `begin()` (or
 * responds with a single `reply()`), may publish artifacts, and ends the turn by asking, completing, failing and so on.
 * Events published after the turn was stopped are dropped.
 */
export class Turn {
  readonly message: Message;
  readonly taskId: string;
  readonly contextId: string;
  /** The task's state at the arrival of the message; undefined if the message opens a new task. */
  readonly previousState: TaskState | undefined;
  readonly caller: Caller;
  /** Names of the request's HTTP headers, in lower case. */
  readonly headerNames: string[];
  private readonly stopping = new AbortController();
  private hasBegun = false;

  constructor(
    private readonly request: RequestContext,
    private readonly bus: ExecutionEventBus,
  ) {
    const { user, state } = request.context;
    if (!(user instanceof ParleyUser)) throw new Error('the caller is not known: serve the agent behind protect()');
    this.message = request.userMessage;
    this.taskId = request.taskId;
    this.contextId = request.contextId;
    this.previousState = request.task?.status?.state;
    this.caller = user.caller;
    this.headerNames = Object.keys(state.get(STATE_HEADERS_KEY) ?? {}).sort();
  }

  /** Aborts when the caller cancels the task. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Opens or resumes the task. A2A requires it before any other event of the turn. */
  begin(): void {
    this.hasBegun = true;
    const task: Task = {
      id: this.taskId,
      contextId: this.contextId,
      status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString() },
      // The SDK adds what it has already stored for this task.
      artifacts: [],
      history: [],
      metadata: undefined,
    };
    if (!this.signal.aborted) this.bus.publish(AgentEvent.task(task));
  }

  /** Responds with a message and no task. */
  reply(parts: Part[]): void {
    this.hasBegun = true;
    this.bus.publish(AgentEvent.message({ ...this.agentMessage(parts), taskId: '' }));
  }

  working(text: string): void {
    this.setStatus(TaskState.TASK_STATE_WORKING, text);
  }

  /** Ends the turn with a question; the answer arrives as the next message on the same task. */
  ask(text: string): void {
    this.setStatus(TaskState.TASK_STATE_INPUT_REQUIRED, text);
  }

  askForAuthorization(text: string): void {
    this.setStatus(TaskState.TASK_STATE_AUTH_REQUIRED, text);
  }

  complete(text?: string): void {
    this.setStatus(TaskState.TASK_STATE_COMPLETED, text);
  }

  fail(text: string): void {
    if (!this.hasBegun) this.begin();
    this.setStatus(TaskState.TASK_STATE_FAILED, text);
  }

  reject(text: string): void {
    this.setStatus(TaskState.TASK_STATE_REJECTED, text);
  }

  cancel(text: string): void {
    this.setStatus(TaskState.TASK_STATE_CANCELED, text);
  }

  /** Publishes a whole artifact. It replaces an earlier artifact with the same id. */
  publish(artifact: NewArtifact): void {
    this.publishArtifact(artifact, { first: true, last: true });
  }

  /** Publishes an artifact piece by piece; callers join the pieces to the exact original. */
  publishChunk(artifact: NewArtifact, position: ChunkPosition): void {
    this.publishArtifact(artifact, position);
  }

  /** Publishes a final status and drops all later events. */
  stop(text: string, state: TaskState.TASK_STATE_CANCELED | TaskState.TASK_STATE_FAILED): void {
    this.setStatus(state, text);
    this.stopping.abort();
  }

  /** Confirms to the caller that a requested extension (header `A2A-Extensions`) is in use. */
  activateExtension(uri: string): void {
    if (this.request.context.requestedExtensions?.includes(uri)) this.request.context.addActivatedExtension(uri);
  }

  private publishArtifact(artifact: NewArtifact, { first, last }: ChunkPosition): void {
    if (this.signal.aborted) return;
    const whole = { description: '', metadata: undefined, extensions: [], ...artifact };
    this.bus.publish(
      AgentEvent.artifactUpdate({
        ...this.ids(),
        artifact: whole,
        append: !first,
        lastChunk: last,
        metadata: undefined,
      }),
    );
  }

  private setStatus(state: TaskState, text?: string): void {
    if (this.signal.aborted) return;
    const message = text === undefined ? undefined : this.agentMessage([textPart(text, 'text/markdown')]);
    const status = { state, message, timestamp: new Date().toISOString() };
    this.bus.publish(AgentEvent.statusUpdate({ ...this.ids(), status, metadata: undefined }));
  }

  private agentMessage(parts: Part[]): Message {
    const messageId = randomUUID();
    return {
      messageId,
      ...this.ids(),
      role: Role.ROLE_AGENT,
      parts,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }

  private ids(): { taskId: string; contextId: string } {
    return { taskId: this.taskId, contextId: this.contextId };
  }
}
