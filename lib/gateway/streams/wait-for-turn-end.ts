import type { Ctx } from '../../platform/context';
import { applyEvent, statusOf } from '../../protocol/a2a/core/events';
import { endsTurn } from '../../protocol/a2a/core/model';
import type { Turn } from '../runs/turn';
import type { StoredEvent } from '../store/records';
import { tailTask } from './tail-task';

/** Most turns are over by then. Until then nobody looks whether the caller is still there, which costs more than the waiting. */
const fastPathMs = 1_000;

/**
 * Waits for the end of the turn, `waitMs` milliseconds at most, or until the caller leaves, which is noticed within a second.
 * Brings the turn's task up to what was heard, and answers with it.
 */
export async function waitForTurnEnd(turn: Turn, ctx: Pick<Ctx, 'signal'>, waitMs: number): Promise<StoredEvent[]> {
  if (endsTurn(turn.task.status.state) || waitMs <= 0) return [];
  const startedAt = performance.now();
  const events = await turn.handle?.completion(Math.min(waitMs, fastPathMs));
  if (events) {
    for (const { event } of events) applyEvent(turn.task, event);
    return events;
  }
  // The run takes longer, or somebody else ends the turn: the task tells.
  return tailUntilTurnEnd(turn, ctx.signal, Math.max(0, waitMs - (performance.now() - startedAt)));
}

async function tailUntilTurnEnd(turn: Turn, signal: AbortSignal, waitMs: number): Promise<StoredEvent[]> {
  const received: StoredEvent[] = [];
  for await (const batch of tailTask(turn.record.id, turn.seq, { signal, timeoutMs: waitMs })) {
    received.push(...batch);
    for (const { event } of batch) applyEvent(turn.task, event);
    const status = batch.map(({ event }) => statusOf(event)).findLast((found) => found !== null);
    if (status && endsTurn(status.state)) break;
  }
  return received;
}
