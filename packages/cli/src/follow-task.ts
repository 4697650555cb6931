import { type Client, type NewMessage, ParleyError, type StreamEvent } from '@parley/agent';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';
import type { Session } from './session.js';
import type { TaskWatch } from './task-watch.js';

export interface Turn {
  agent: string;
  /** Has a `messageId`, so that it can be resent. */
  message: NewMessage & { messageId: string };
  watch: TaskWatch;
}

const CANCEL_MS = 5_000;

/**
 * Sends the message and forwards its events. Ctrl-C asks the agent to cancel.
 * @throws {Failure} after Ctrl-C; {ParleyError} if the call is refused or interrupted
 */
export async function followTask(session: Session, turn: Turn, show: (event: StreamEvent) => void): Promise<void> {
  const { agent, message, watch } = turn;
  const { signal } = session;
  let isSent = false;
  const client = session.client((url, init) => {
    isSent ||= url.endsWith('/a2a/jsonrpc');
    return fetch(url, init);
  });
  try {
    for await (const event of client.stream(agent, message, { signal })) {
      watch.note(event);
      show(event);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (!signal.aborted) return;
  throw new Failure(EXIT.interrupted, isSent ? await cancel(client, turn) : 'Interrupted before anything was sent.');
}

/** Asks the agent to cancel; returns a message for the user. */
async function cancel(client: Client, { agent, message, watch }: Turn): Promise<string> {
  const signal = AbortSignal.timeout(CANCEL_MS);
  try {
    const taskId = watch.taskId ?? (await findTask(client, { agent, message }, signal));
    if (taskId === null) return 'Interrupted. The agent had already answered.';
    await client.cancel(agent, taskId, { signal });
    return 'Cancelled.';
  } catch (error) {
    const why = error instanceof ParleyError ? error.message : 'there was no response in time';
    return `Interrupted, but the agent's work was not stopped: ${why}`;
  }
}

/** Finds the task of a message without a response: resending it with the same id does not process it again. */
async function findTask(
  client: Client,
  { agent, message }: Pick<Turn, 'agent' | 'message'>,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await client.send(agent, message, { signal, returnImmediately: true });
  return 'task' in answer ? answer.task.id : null;
}
