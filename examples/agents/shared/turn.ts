import { randomUUID } from 'node:crypto';
import { type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus, type RequestContext, STATE_HEADERS_KEY } from '@a2a-js/sdk/server';
import type { Caller } from '@parley/agent';
import { ParleyUser } from './parley-user';
import { textPart } from './parts';

/** An artifact as agents write it; everything but its id, name and parts may be left out. */
export type NewArtifact = Pick<Artifact, 'artifactId' | 'name' | 'parts'> & Partial<Artifact>;

/** Where a chunk stands in its artifact: the first one opens it, all others are appended, the last one closes it. */
export interface ChunkPosition {
  first: boolean;
  last: boolean;
}

/**
 * One turn of a conversation: the message that came in, and the ways to answer it. An agent opens the task with
 * `begin()` (or answers with a single `reply()`), may publish artifacts, and ends the turn by asking, completing,
 * failing and so on. Once the turn was stopped, all that is still published is dropped.
 */
export class Turn {
  readonly message: Message;
  readonly taskId: string;
  readonly contextId: string;
  /** The state the task was in when the message came; undefined when the message opens a new task. */
  readonly previousState: TaskState | undefined;
  readonly caller: Caller;
  /** Names of the HTTP headers that came with the request, in lower case. */
  readonly headerNames: string[];
  private readonly stopping = new AbortController();
  private begun = false;

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

  /** Opens the task, or takes it up again. A2A wants it before any other event of the turn. */
  begin(): void {
    this.begun = true;
    const task: Task = {
      id: this.taskId,
      contextId: this.contextId,
      status: { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString() },
      // The SDK adds what it already keeps of this task.
      artifacts: [],
      history: [],
      metadata: undefined,
    };
    if (!this.signal.aborted) this.bus.publish(AgentEvent.task(task));
  }

  /** Answers with a message alone; there will be no task. */
  reply(parts: Part[]): void {
    this.begun = true;
    this.bus.publish(AgentEvent.message({ ...this.agentMessage(parts), taskId: '' }));
  }

  working(text: string): void {
    this.setStatus(TaskState.TASK_STATE_WORKING, text);
  }

  /** Ends the turn with a question; the answer comes as the next message on the same task. */
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
    if (!this.begun) this.begin();
    this.setStatus(TaskState.TASK_STATE_FAILED, text);
  }

  reject(text: string): void {
    this.setStatus(TaskState.TASK_STATE_REJECTED, text);
  }

  cancel(text: string): void {
    this.setStatus(TaskState.TASK_STATE_CANCELED, text);
  }

  /** Publishes a whole artifact. The id of an earlier one replaces it. */
  publish(artifact: NewArtifact): void {
    this.publishArtifact(artifact, { first: true, last: true });
  }

  /** Publishes an artifact piece by piece; callers join the pieces to exactly what was sent. */
  publishChunk(artifact: NewArtifact, position: ChunkPosition): void {
    this.publishArtifact(artifact, position);
  }

  /** Publishes a last status and drops everything after it. */
  stop(text: string, state: TaskState.TASK_STATE_CANCELED | TaskState.TASK_STATE_FAILED): void {
    this.setStatus(state, text);
    this.stopping.abort();
  }

  /** Tells the caller that an extension they asked for (header `A2A-Extensions`) is in use. */
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
