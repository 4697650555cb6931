import type { TaskEvent } from '../protocol/a2a/core/events';
import { mergeParts } from '../protocol/a2a/core/merge-parts';
import type { ThreadEvent } from './schema';

type Chunk = TaskEvent & { type: 'artifact' };

/**
 * Joins neighbouring chunks of one artifact into one step: a long answer of thousands of tokens is read again as a handful
 * of steps.
 */
export function mergeChunks(events: Pick<ThreadEvent, 'seq' | 'event'>[]): ThreadEvent[] {
  const merged: ThreadEvent[] = [];
  for (const { seq, event } of events) {
    const last = merged.at(-1);
    if (last?.event.type === 'artifact' && event.type === 'artifact' && isContinuation(last.event, event)) {
      merged[merged.length - 1] = { seq, from: last.from ?? last.seq, event: mergePair(last.event, event) };
    } else {
      merged.push({ seq, event });
    }
  }
  return merged;
}

function isContinuation(first: Chunk, next: Chunk): boolean {
  return next.append && first.artifact.artifactId === next.artifact.artifactId;
}

function mergePair(first: Chunk, next: Chunk): Chunk {
  const parts = mergeParts(first.artifact.parts, next.artifact.parts);
  return { ...first, artifact: { ...first.artifact, parts }, lastChunk: next.lastChunk };
}
