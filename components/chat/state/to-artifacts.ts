import { type Artifact, isTerminal } from '../../../lib/protocol/a2a/core/model';
import type { TaskSnapshot, ThreadState } from './thread-state';

/** The artifacts of a thread, and which of them may still grow. */
export interface ArtifactSet {
  artifacts: Artifact[];
  streamingIds: ReadonlySet<string>;
}

/**
 * Returns every artifact of the thread, oldest first, each in its latest version, with ids that are unique across
 * tasks.
 */
export function toArtifacts({ tasks }: Pick<ThreadState, 'tasks'>): ArtifactSet {
  const artifacts: Artifact[] = [];
  const streamingIds = new Set<string>();
  for (const task of tasks) {
    for (const [id, artifact] of task.artifacts) {
      const artifactId = artifactKey(task.id, id);
      artifacts.push(withUniqueId(artifact, artifactId));
      if (isStreaming(task, id)) streamingIds.add(artifactId);
    }
  }
  return { artifacts, streamingIds };
}

const uniqueArtifacts = new WeakMap<Artifact, Artifact>();

/** Returns the same object while the artifact is unchanged, so that it is not parsed and rendered again. */
function withUniqueId(artifact: Artifact, artifactId: string): Artifact {
  const cached = uniqueArtifacts.get(artifact);
  if (cached?.artifactId === artifactId) return cached;
  const renamed = { ...artifact, artifactId };
  uniqueArtifacts.set(artifact, renamed);
  return renamed;
}

/** An agent may use the same artifact id in every task. */
export function artifactKey(taskId: string, artifactId: string): string {
  return `${taskId} ${artifactId}`;
}

/** Returns true while more chunks may follow. */
export function isStreaming(task: TaskSnapshot, artifactId: string): boolean {
  return !isTerminal(task.state) && !task.closed.has(artifactId);
}
