import { recordAgentCall } from '../../observability';
import { databaseUnavailableError, isDatabaseUnavailable } from '../../platform/db/database-errors';
import { ParleyError } from '../../platform/errors';
import { failedBeforeSend } from '../../platform/http-client/safe-fetch';
import { newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import type { Refusal, TaskEvent } from '../../protocol/a2a/core/events';
import type { Message } from '../../protocol/a2a/core/model';
import { subjectOf } from '../../tokens';
import { isOverloaded } from '../agent-client/agent-error';
import { isRecorded } from '../agent-client/call-recorder';
import { isBreakerOpen } from '../agent-client/circuit-breaker';
import { type LatestTurn, latestTurnOf } from '../log/turn';
import { releaseRefusedSend } from '../store/send-keys';
import { loadTask } from '../store/task-events';
import { write } from './agent-output';
import type { Run, RunState } from './run-source';

/**
 * Ends a turn that failed without a report from the agent. An interrupted task becomes interrupted again, and the
 * message that was not accepted is removed from its history. If it was the first message, the result is a failed task
 * that lists omit. A task that the agent had confirmed fails with the reason.
 */
export async function failTurn(state: RunState, error: unknown): Promise<void> {
  const { run, writer } = state;
  const known = toCallerError(error);
  if (!isRecorded(error)) recordFailure(run, known);
  await writer.drained();
  if (writer.superseded) return;
  const turn = latestTurnOf((await loadTask(run.record)).events);
  const refusal = refusalFor(state, turn, known);
  if (refusal?.retryable || (refusal && !turn.interruptedStatus)) {
    const { principal, agentId, id } = run.record;
    const key = refusal.retryable ? (run.idempotencyKey ?? null) : null;
    await releaseRefusedSend({ principal, agentId, taskId: id, key, unlisted: !turn.interruptedStatus });
  }
  await write(state, [failureEvent(run, { turn, refusal, known })]);
}

/**
 * Returns the refusal; null if the agent had confirmed a task that was never interrupted, in which case the task itself
 * is the response.
 */
function refusalFor(state: RunState, turn: LatestTurn, known: ParleyError): Refusal | null {
  const { run, normalizer } = state;
  const isConfirmed = turn.responded || normalizer.upstreamTaskId !== undefined;
  if (!turn.interruptedStatus && (isConfirmed || !run.send)) return null;
  const { code, message: text, retryAfter, data } = known;
  return {
    code,
    text,
    ...(typeof data?.agentCode === 'number' && { agentCode: data.agentCode }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(!turn.responded && turn.message && { messageId: turn.message.messageId }),
    retryable: !turn.responded && wasNotReceived(state, known),
  };
}

/** Returns true if it is certain that the agent did not receive the message. */
function wasNotReceived({ run, mayHaveArrived }: RunState, error: ParleyError): boolean {
  if (error instanceof ReplyNotReceivedError) return true;
  if (!run.send || mayHaveArrived) return false;
  return failedBeforeSend(error) || isOverloaded(error) || isBreakerOpen(error);
}

/** The error if the connection broke and the agent has not received the reply that was sent over it. */
export class ReplyNotReceivedError extends ParleyError {
  constructor() {
    const text =
      'The connection to the agent was lost before it received the message; it is still waiting for a reply. Send the message again.';
    super('agent_unreachable', text);
  }
}

interface TurnFailure {
  turn: LatestTurn;
  refusal: Refusal | null;
  known: ParleyError;
}

function failureEvent({ record }: Run, { turn, refusal, known }: TurnFailure): TaskEvent {
  const { id: taskId, contextId } = record;
  const timestamp = new Date().toISOString();
  const reported = { metadata: { 'parley.error': known.code }, ...(refusal && { refusal }) };
  if (turn.interruptedStatus) return { type: 'status', status: { ...turn.interruptedStatus, timestamp }, ...reported };
  const parts: Message['parts'] = [{ kind: 'text', text: known.message }];
  const message: Message = { messageId: newUuid(), role: 'agent', parts, taskId, contextId };
  return { type: 'status', status: { state: 'failed', message, timestamp }, ...reported };
}

/** Logs a turn that failed without a failed call to the agent. */
function recordFailure({ agent, record, requestId }: Run, { code, message }: ParleyError): void {
  const caller = subjectOf({ principal: record.principal, agent });
  const call = { agentId: agent.id, at: new Date(), ms: 0, method: '', dialect: '', requestId };
  recordAgentCall({ ...call, caller, taskId: record.id, failure: { code, message }, exchange: null });
}

/** Returns the error that the caller receives. Logs an unknown error. */
export function toCallerError(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  if (isDatabaseUnavailable(error)) return databaseUnavailableError();
  log.error('run.failed', errorFields(error));
  return new ParleyError('internal', 'Something went wrong on our side while the agent was answering.');
}
