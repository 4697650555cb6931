import { recordAgentCall } from '../observability';
import { asParleyError, ParleyError } from '../platform/errors';
import { newUuid } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { wasNeverSent } from '../platform/safe-fetch';
import type { Refusal, TaskEvent } from '../protocol/a2a/core/events';
import type { Message } from '../protocol/a2a/core/model';
import { subjectOf } from '../tokens';
import { type LatestTurn, latestTurnOf } from './refused-turn';
import { type Run, type RunState, write } from './run-state';
import { loadTask } from './store/read-events';
import { forgetSend } from './store/refused-sends';
import { isTurnedAway } from './upstream/agent-error';
import { isBreakerOpen } from './upstream/breaker';
import { isNoted } from './upstream/call-watch';

/**
 * Ends a turn that failed without the agent saying so (decision 17). A task that waited for its caller waits again, and the
 * message that was not accepted leaves its history. A first message that was not accepted leaves a failed task that no list
 * shows. A task that the agent had confirmed fails with the reason.
 */
export async function failTurn(state: RunState, error: unknown): Promise<void> {
  const { run, writer } = state;
  const known = asParleyError(error) ?? internalError(error);
  if (!isNoted(error)) recordFailure(run, known);
  await writer.settled();
  if (writer.overtaken) return;
  const turn = latestTurnOf((await loadTask(run.record)).events);
  const refusal = refusalFor(state, turn, known);
  if (refusal?.retryable || (refusal && !turn.waiting)) {
    const { principal, agentId, id } = run.record;
    const key = refusal.retryable ? (run.sendKey ?? null) : null;
    await forgetSend({ principal, agentId, taskId: id, key, unlisted: !turn.waiting });
  }
  await write(state, [endOf(run, { turn, refusal, known })]);
}

/** Null when the agent had confirmed a task that never waited: then the task itself is the answer. */
function refusalFor(state: RunState, turn: LatestTurn, known: ParleyError): Refusal | null {
  const { run, normaliser } = state;
  const isConfirmed = turn.heard || normaliser.upstreamTaskId !== undefined;
  if (!turn.waiting && (isConfirmed || !run.send)) return null;
  const { code, message: text, retryAfter, data } = known;
  return {
    code,
    text,
    ...(typeof data?.agentCode === 'number' && { agentCode: data.agentCode }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(!turn.heard && turn.message && { messageId: turn.message.messageId }),
    retryable: !turn.heard && wasNotTaken(state, known),
  };
}

/** True when the agent certainly did not take the message. */
function wasNotTaken({ run, mayHaveArrived }: RunState, error: ParleyError): boolean {
  if (error instanceof ReplyNotTaken) return true;
  if (!run.send || mayHaveArrived) return false;
  return wasNeverSent(error) || isTurnedAway(error) || isBreakerOpen(error);
}

/** The connection broke, and the agent still waits for the reply that it carried. */
export class ReplyNotTaken extends ParleyError {
  constructor() {
    const text =
      'The connection to the agent broke before it took the message; it still waits for a reply. Send the message again.';
    super('agent_unreachable', text);
  }
}

interface Failed {
  turn: LatestTurn;
  refusal: Refusal | null;
  known: ParleyError;
}

function endOf({ record }: Run, { turn, refusal, known }: Failed): TaskEvent {
  const { id: taskId, contextId } = record;
  const timestamp = new Date().toISOString();
  const reported = { metadata: { 'parley.error': known.code }, ...(refusal && { refusal }) };
  if (turn.waiting) return { type: 'status', status: { ...turn.waiting, timestamp }, ...reported };
  const parts: Message['parts'] = [{ kind: 'text', text: known.message }];
  const message: Message = { messageId: newUuid(), role: 'agent', parts, taskId, contextId };
  return { type: 'status', status: { state: 'failed', message, timestamp }, ...reported };
}

/** A turn that failed although no call of the agent did. */
function recordFailure({ agent, record, requestId }: Run, { code, message }: ParleyError): void {
  const caller = subjectOf({ principal: record.principal, agent });
  const call = { agentId: agent.id, at: new Date(), ms: 0, method: '', dialect: '', requestId };
  recordAgentCall({ ...call, caller, failure: { code, message }, wire: null });
}

function internalError(error: unknown): ParleyError {
  log.error('run.failed', errorFields(error));
  return new ParleyError('internal', 'Something went wrong on our side while the agent was answering.');
}
