import { applyEvent, statusOf } from '../protocol/a2a/core/events';
import { endsTurn } from '../protocol/a2a/core/model';
import type { StoredEvent } from './store/records';
import { tailTask } from './tail-task';
import type { Turn } from './turn';

/**
 * Waits for the end of the turn, `waitMs` milliseconds at most, or until `signal` aborts. Brings the turn's task up to what
 * was heard, and answers with it.
 */
export async function endOfTurn(turn: Turn, signal: AbortSignal, waitMs: number): Promise<StoredEvent[]> {
  if (endsTurn(turn.task.status.state) || waitMs <= 0) return [];
  const heard: StoredEvent[] = [];
  for await (const batch of tailTask(turn.record.id, turn.seq, { signal, forMs: waitMs })) {
    heard.push(...batch);
    for (const { event } of batch) applyEvent(turn.task, event);
    const status = batch.map(({ event }) => statusOf(event)).findLast((found) => found !== null);
    if (status && endsTurn(status.state)) break;
  }
  return heard;
}
