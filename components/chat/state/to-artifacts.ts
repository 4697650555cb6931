import { type Artifact, isTerminal } from '../../../lib/protocol/a2a/core/model';
import { isObject, type JsonValue } from '../../../lib/protocol/json';
import type { TaskSnapshot, ThreadState } from './thread-state';

/** The artifacts of a thread, and which of them may still grow. */
export interface ArtifactSet {
  artifacts: Artifact[];
  streamingIds: ReadonlySet<string>;
}

/**
 * Returns every artifact of the thread, oldest first, each in its latest version, with ids that are unique across
 * tasks. Carts, receipts and other payment data are not included: the user has them as orders.
 */
export function toArtifacts({ tasks }: Pick<ThreadState, 'tasks'>): ArtifactSet {
  const artifacts: Artifact[] = [];
  const streamingIds = new Set<string>();
  for (const task of tasks) {
    for (const [id, artifact] of task.artifacts) {
      if (isPayment(artifact)) continue;
      const artifactId = artifactKey(task.id, id);
      artifacts.push(withUniqueId(artifact, artifactId));
      if (isStreaming(task, id)) streamingIds.add(artifactId);
    }
  }
  return { artifacts, streamingIds };
}

/** Returns true for an artifact that contains only payment data, such as a cart or a receipt. */
export function isPayment({ parts }: Artifact): boolean {
  return parts.length > 0 && parts.every((part) => part.kind === 'data' && isPaymentData(part.data));
}

/** Names of members and of kinds that only payment data have. */
const paymentNames =
  /\b(ap2\b|a2a\.ucp|x402|(payment|checkout)_(request|mandate|jwt))|Mandate|Receipt|order_?[iI]d.*total|line_items/;

/**
 * Returns true for a cart, a mandate or a receipt. Much shorter than `detectAp2Object`, whose script the chat loads
 * with the first card. A test compares both.
 */
function isPaymentData(data: JsonValue | undefined): boolean {
  if (!isObject(data)) return false;
  const label = data.kind ?? data.type;
  if (label === 'data') return isPaymentData(data.data);
  return paymentNames.test(`${[label, ...Object.keys(isObject(data.contents) ? data.contents : data)]}`);
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
