import { asParleyError } from '../platform/errors';
import { errorFields, log } from '../platform/log';
import { failTurn } from './fail-turn';
import { closeLive, countReadOn, type LiveTask } from './live-tasks';
import { recoverRun } from './recover-run';
import { type RunState, takeBatch, write } from './run-state';

/** How long a stream is read on after a question, milliseconds, and how many of them at a time. Beyond, the task is polled. */
const longestMs = 600_000;
const mostStreams = 500;

/**
 * Reads what the agent says in the same stream after it asked something: it may go on by itself. Ends with the stream, with the
 * task, or when the caller replies. Never throws.
 */
export async function readOn(state: RunState, live: LiveTask): Promise<void> {
  const { rest } = state;
  const id = state.run.record.id;
  if (!rest) return;
  live.waits = true;
  const patience = setTimeout(() => live.stop.abort(), longestMs);
  patience.unref();
  try {
    if (countReadOn() <= mostStreams) await readRest(state, live, rest);
    else void rest.return?.();
  } catch (error) {
    log.warn('run.read_on_failed', { taskId: id, ...errorFields(error) });
  } finally {
    clearTimeout(patience);
    state.writer.hurry();
    closeLive(id, live);
  }
}

async function readRest(state: RunState, live: LiveTask, rest: AsyncIterator<unknown[]>): Promise<void> {
  const { normaliser, writer, signal } = state;
  try {
    await readToEnd(state, live);
    await write(state, normaliser.finish(new Date()));
    if (!normaliser.over && !writer.overtaken && !signal.aborted) await recoverRun(state);
    await writer.settled();
  } catch (error) {
    // A stream that breaks while the task waits says nothing about the task.
    if (signal.aborted || writer.overtaken || normaliser.over) return;
    if (asParleyError(error) && normaliser.upstreamTaskId !== undefined && state.rest) {
      state.rest = undefined;
      return readRest(state, live, rest);
    }
    await failTurn(state, error);
    await writer.settled();
  }
}

async function readToEnd(state: RunState, live: LiveTask): Promise<void> {
  const { rest, writer, normaliser, signal } = state;
  if (!rest) return;
  while (!signal.aborted) {
    const { done, value } = await rest.next();
    if (done || signal.aborted) return;
    await takeBatch(state, value);
    live.waits = normaliser.over;
    if (writer.overtaken || normaliser.closed) {
      await rest.return?.();
      return;
    }
  }
}
