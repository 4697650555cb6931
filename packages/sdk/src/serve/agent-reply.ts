import type { Artifact, Message, Part, StreamEvent, Task, TaskArtifactUpdate, TaskState } from '../wire.js';

/** States in which the agent sends nothing more until the next message. */
const SETTLED: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

/** Returns true for an event after which the agent sends nothing more in this turn. */
export function settles(event: StreamEvent): boolean {
  const status = 'task' in event ? event.task.status : 'statusUpdate' in event ? event.statusUpdate.status : null;
  return status !== null && SETTLED.has(status.state);
}

/** The answer of another agent. A handler that yields it forwards its content. */
export class AgentReply {
  constructor(readonly task: Task) {}

  get state(): TaskState {
    return this.task.status.state;
  }

  /** The message of the last status: the agent's question, error or answer. */
  get message(): Message | null {
    return this.task.status.message ?? null;
  }

  /** The parts of the artifacts; without artifacts, those of the last message. */
  get parts(): Part[] {
    const parts = (this.task.artifacts ?? []).flatMap((artifact) => artifact.parts);
    return parts.length > 0 ? parts : (this.message?.parts ?? []);
  }

  get text(): string {
    return this.parts.map(({ text }) => text ?? '').join('');
  }
}

/** Returns the task after applying one more event. */
export function applyEvent(task: Task, event: StreamEvent): Task {
  if ('task' in event) return event.task;
  if ('message' in event) return { ...task, status: { state: 'TASK_STATE_COMPLETED', message: event.message } };
  if ('statusUpdate' in event) return { ...task, status: event.statusUpdate.status };
  return { ...task, artifacts: withUpdate(task.artifacts ?? [], event.artifactUpdate) };
}

function withUpdate(artifacts: Artifact[], { artifact, append }: TaskArtifactUpdate): Artifact[] {
  const known = artifacts.find(({ artifactId }) => artifactId === artifact.artifactId);
  if (!known) return [...artifacts, artifact];
  const updated = append ? { ...known, parts: [...known.parts, ...artifact.parts] } : artifact;
  return artifacts.map((other) => (other === known ? updated : other));
}
