import { type NewMessage, ParleyError, type StreamEvent } from '@parley/agent';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';
import type { Session } from './session.js';
import type { TaskWatch } from './task-watch.js';

export interface Turn {
  agent: string;
  message: NewMessage;
  watch: TaskWatch;
}

const CANCEL_MS = 5_000;

/**
 * Sends the message and hands on what comes. At Ctrl-C the agent is asked to stop, as soon as its task is known.
 * @throws {Failure} after Ctrl-C; {ParleyError} when the call is refused or breaks off
 */
export async function followTask(
  session: Session,
  { agent, message, watch }: Turn,
  show: (event: StreamEvent) => void,
): Promise<void> {
  const { signal } = session;
  const leave = new AbortController();
  const leaveWhenKnown = (): void => {
    if (watch.taskId !== null) leave.abort();
  };
  signal.addEventListener('abort', leaveWhenKnown);
  try {
    for await (const event of session.client().stream(agent, message, { signal: leave.signal })) {
      watch.note(event);
      show(event);
      if (signal.aborted) leaveWhenKnown();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', leaveWhenKnown);
  }
  if (signal.aborted) throw new Failure(EXIT.interrupted, await cancel(session, agent, watch.taskId));
}

/** Asks the agent to stop; answers what to tell the person. */
async function cancel(session: Session, agent: string, taskId: string | null): Promise<string> {
  if (taskId === null) return 'Interrupted before the task began.';
  try {
    await session.client().cancel(agent, taskId, { signal: AbortSignal.timeout(CANCEL_MS) });
    return 'Cancelled.';
  } catch (error) {
    const why = error instanceof ParleyError ? error.message : 'no answer came in time';
    return `Interrupted, but task ${taskId} was not cancelled: ${why}`;
  }
}
