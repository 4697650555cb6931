import { type Artifact, isTerminal } from '../../lib/protocol/a2a/core/model';
import type { TaskThread, ThreadState } from './thread-state';

/** The artifacts of a thread, and which of them may still grow. */
export interface ArtifactSet {
  artifacts: Artifact[];
  live: ReadonlySet<string>;
}

/** Every artifact of the thread, oldest first, each in its latest version, with ids that are unique across tasks. */
export function toArtifacts({ tasks }: Pick<ThreadState, 'tasks'>): ArtifactSet {
  const artifacts: Artifact[] = [];
  const live = new Set<string>();
  for (const task of tasks) {
    for (const [id, artifact] of task.artifacts) {
      const artifactId = artifactKey(task.id, id);
      artifacts.push(withUniqueId(artifact, artifactId));
      if (isLive(task, id)) live.add(artifactId);
    }
  }
  return { artifacts, live };
}

const known = new WeakMap<Artifact, Artifact>();

/** The same object while the artifact is unchanged, so that it is not parsed and rendered again. */
function withUniqueId(artifact: Artifact, artifactId: string): Artifact {
  const before = known.get(artifact);
  if (before?.artifactId === artifactId) return before;
  const after = { ...artifact, artifactId };
  known.set(artifact, after);
  return after;
}

/** An agent may use the same artifact id in every task. */
export function artifactKey(taskId: string, artifactId: string): string {
  return `${taskId} ${artifactId}`;
}

/** True while more chunks may follow. */
export function isLive(task: TaskThread, artifactId: string): boolean {
  return !isTerminal(task.state) && !task.closed.has(artifactId);
}
