import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { countTrailingStreams } from '../active/active-runs';
import { MAX_TRAILING_STREAMS, TRAILING_STREAM_MS } from '../limits';
import { failTurn } from './fail-turn';
import type { RunState } from './run-source';
import { ingestBatch, write } from './run-state';

/**
 * Reads the rest of a stream after the agent asked for input, because the agent may continue on its own. Ends with the
 * stream, with the task, or when the caller replies. Never throws.
 */
export async function readTrailingEvents(state: RunState): Promise<void> {
  const { handle, trailingBatches } = state;
  if (!trailingBatches) return;
  handle.trailing = true;
  const timeout = setTimeout(() => handle.controller.abort(), TRAILING_STREAM_MS);
  timeout.unref();
  try {
    if (countTrailingStreams() <= MAX_TRAILING_STREAMS) await readRemaining(state, trailingBatches);
    else void trailingBatches.return?.();
  } catch (error) {
    log.warn('run.trailing_read_failed', { taskId: handle.taskId, ...errorFields(error) });
  } finally {
    clearTimeout(timeout);
    state.writer.flushNow();
  }
}

async function readRemaining(state: RunState, trailingBatches: AsyncIterator<unknown[]>): Promise<void> {
  const { normalizer, writer, signal } = state;
  try {
    await readToEnd(state);
    await write(state, normalizer.finish(new Date()));
    if (!normalizer.turnEnded && !writer.superseded && !signal.aborted) await state.run.source.resume?.(state);
    await writer.drained();
  } catch (error) {
    // A stream that breaks while the task is interrupted does not affect the task.
    if (signal.aborted || writer.superseded || normalizer.turnEnded) return;
    if (error instanceof ParleyError && normalizer.upstreamTaskId !== undefined && state.trailingBatches) {
      state.trailingBatches = undefined;
      return readRemaining(state, trailingBatches);
    }
    await failTurn(state, error);
    await writer.drained();
  }
}

async function readToEnd(state: RunState): Promise<void> {
  const { handle, trailingBatches, writer, normalizer, signal } = state;
  if (!trailingBatches) return;
  while (!signal.aborted) {
    const { done, value } = await trailingBatches.next();
    if (done || signal.aborted) return;
    await ingestBatch(state, value);
    handle.trailing = normalizer.turnEnded;
    if (writer.superseded || normalizer.taskEnded) {
      await trailingBatches.return?.();
      return;
    }
  }
}
