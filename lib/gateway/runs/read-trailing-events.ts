import { asParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { type ActiveRun, countTrailingStreams, unregisterRun } from './active-runs';
import { failTurn } from './fail-turn';
import { resumeRun } from './resume-run';
import { ingestBatch, type RunState, write } from './run-state';

/** How long a stream is read on after a question, milliseconds, and how many of them at a time. Beyond, the task is polled. */
const maxReadMs = 600_000;
const maxStreams = 500;

/**
 * Reads what the agent says in the same stream after it asked something: it may go on by itself. Ends with the stream, with the
 * task, or when the caller replies. Never throws.
 */
export async function readTrailingEvents(state: RunState, activeRun: ActiveRun): Promise<void> {
  const { trailingBatches: rest } = state;
  const id = state.run.record.id;
  if (!rest) return;
  activeRun.trailing = true;
  const timeout = setTimeout(() => activeRun.controller.abort(), maxReadMs);
  timeout.unref();
  try {
    if (countTrailingStreams() <= maxStreams) await readRemaining(state, activeRun, rest);
    else void rest.return?.();
  } catch (error) {
    log.warn('run.read_on_failed', { taskId: id, ...errorFields(error) });
  } finally {
    clearTimeout(timeout);
    state.writer.flushNow();
    unregisterRun(id, activeRun);
  }
}

async function readRemaining(
  state: RunState,
  activeRun: ActiveRun,
  trailingBatches: AsyncIterator<unknown[]>,
): Promise<void> {
  const { normalizer: normaliser, writer, signal } = state;
  try {
    await readToEnd(state, activeRun);
    await write(state, normaliser.finish(new Date()));
    if (!normaliser.turnEnded && !writer.superseded && !signal.aborted) await resumeRun(state);
    await writer.drained();
  } catch (error) {
    // A stream that breaks while the task waits says nothing about the task.
    if (signal.aborted || writer.superseded || normaliser.turnEnded) return;
    if (asParleyError(error) && normaliser.upstreamTaskId !== undefined && state.trailingBatches) {
      state.trailingBatches = undefined;
      return readRemaining(state, activeRun, trailingBatches);
    }
    await failTurn(state, error);
    await writer.drained();
  }
}

async function readToEnd(state: RunState, activeRun: ActiveRun): Promise<void> {
  const { trailingBatches: rest, writer, normalizer: normaliser, signal } = state;
  if (!rest) return;
  while (!signal.aborted) {
    const { done, value } = await rest.next();
    if (done || signal.aborted) return;
    await ingestBatch(state, value);
    activeRun.trailing = normaliser.turnEnded;
    if (writer.superseded || normaliser.taskEnded) {
      await rest.return?.();
      return;
    }
  }
}
