import { appendParts } from '../protocol/a2a/core/append-parts';
import type { TaskEvent } from '../protocol/a2a/core/events';
import type { ThreadEvent } from './schema';

type Chunk = TaskEvent & { type: 'artifact' };

/**
 * Joins neighbouring chunks of one artifact into one step: a long answer of thousands of tokens is read again as a handful
 * of steps.
 */
export function joinChunks(events: Pick<ThreadEvent, 'seq' | 'event'>[]): ThreadEvent[] {
  const joined: ThreadEvent[] = [];
  for (const { seq, event } of events) {
    const last = joined.at(-1);
    if (last?.event.type === 'artifact' && event.type === 'artifact' && continues(last.event, event)) {
      joined[joined.length - 1] = { seq, from: last.from ?? last.seq, event: joinTwo(last.event, event) };
    } else {
      joined.push({ seq, event });
    }
  }
  return joined;
}

function continues(first: Chunk, next: Chunk): boolean {
  return next.append && first.artifact.artifactId === next.artifact.artifactId;
}

function joinTwo(first: Chunk, next: Chunk): Chunk {
  const parts = appendParts(first.artifact.parts, next.artifact.parts);
  return { ...first, artifact: { ...first.artifact, parts }, lastChunk: next.lastChunk };
}
