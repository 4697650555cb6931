import { consume } from '../../limits';
import { nodeId } from '../../platform/bus';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newUuid, newUuidV7 } from '../../platform/ids';
import { failpoint } from '../../platform/runtime/failpoint';
import { foldTask, type TaskEvent } from '../../protocol/a2a/core/events';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import type { Message, Task } from '../../protocol/a2a/core/model';
import { requireReachable } from '../agent-client/circuit-breaker';
import { ownerOf, requireCaller } from '../authorization';
import { admitDelegatedSend } from '../chains/admit-delegated-send';
import type { Turn } from '../log/turn';
import { toAgentReferences } from '../log/upstream-task-ids';
import { checkPushTarget } from '../push/push-configs';
import { sendRateLimit } from '../rate-limits';
import { deriveIdempotencyKey, findIdempotentTurn } from '../runs/idempotency';
import type { QueuedSend } from '../runs/run-source';
import { startRun } from '../runs/run-task';
import type { SendInput } from '../runs/send-input';
import { runSourceOf } from '../sources/choose-source';
import { createTask } from '../store/create-task';
import { ownContextIdOf, type TaskRecord, upstreamContextOf } from '../store/records';
import { findAnsweredMessage } from '../store/task-events';
import { continueTask } from './continue-task';
import { type StartedTurn, saveRequestedPush, type TurnCall, toRun } from './prepare-turn';
import { acquireTaskSlots } from './task-slots';

/**
 * Starts a turn: a new task, or the reply to an interrupted one. It is persisted before the agent is called. The same
 * send with the same key returns the stored task and never runs twice.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (finished), `task_busy`, `invalid_params`,
 *   `idempotency_mismatch`, `rate_limited`, `too_many_tasks`, `unavailable` (agent at its limit), `agent_unreachable`
 *   (breaker open), `conflict` (client task id taken concurrently); for a delegated send, the errors of {@link
 *   admitDelegatedSend}
 */
export async function startTurn({ ctx, input }: { ctx: Ctx; input: SendInput }): Promise<Turn> {
  const caller = requireCaller(ctx, input.agent);
  const { push } = input.request.configuration;
  if (push) checkPushTarget(push);
  if (caller.delegation === undefined) return admitTurn(ctx, input, { caller });
  const admitted = await admitDelegatedSend(ctx, caller, input);
  if (admitted.earlier) return admitted.earlier;
  let turn: Turn | undefined;
  try {
    turn = await admitTurn(ctx, input, { caller, newTaskId: admitted.taskId });
    return turn;
  } finally {
    if (turn?.record.id === admitted.taskId) await admitted.publish();
    // The send failed, or a concurrent one with the same key started the turn.
    else await admitted.cancel();
  }
}

/** `newTaskId` is the id of the task that the send creates, by default a new one. */
async function admitTurn(
  ctx: Ctx,
  input: SendInput,
  { caller, newTaskId }: { caller: CallerActor; newTaskId?: string },
): Promise<Turn> {
  const admission = consume(sendRateLimit, caller.principal, ctx.now);
  if (admission) await admission;
  let release: () => void;
  try {
    requireReachable(input.agent.id, ctx.now);
    const slots = acquireTaskSlots(caller, input.agent);
    release = slots instanceof Promise ? await slots : slots;
  } catch (refusal) {
    // An earlier send is returned without a call to the agent.
    const earlier = await findIdempotentTurn(caller, deriveIdempotencyKey(input));
    if (!earlier) throw refusal;
    return earlier;
  }
  let queued: QueuedSend | null = null;
  try {
    const { message } = input.request;
    const agentMessage = message.referenceTaskIds
      ? await toAgentReferences(message, { agent: input.agent, owner: ownerOf(caller) })
      : message;
    const runSource = runSourceOf(input.agent);
    queued = runSource.admit ? await runSource.admit(input.agent, release, ctx.now) : null;
    const source = sourceOf(caller, input);
    const call = {
      ctx,
      caller,
      input,
      agentMessage,
      queued,
      runSource,
      source: source instanceof Promise ? await source : source,
    };
    const { turn, run } = message.taskId ? await continueTask(call) : await startTask(call, newTaskId);
    if (!run) {
      queued?.cancel();
      release();
      return turn;
    }
    if (run === 'waits') return turn;
    turn.handle = startRun(run);
    turn.handle.onEnd(release);
    return turn;
  } catch (error) {
    queued?.cancel();
    release();
    throw error;
  }
}

async function startTask(call: TurnCall, newTaskId = newUuidV7(call.ctx.now)): Promise<StartedTurn> {
  const { ctx, caller, input, agentMessage, queued, source } = call;
  const { agent, request } = input;
  const contextId = request.message.contextId ?? newUuidV7(ctx.now);
  const id = input.clientTask?.taskId ?? newTaskId;
  const message: Message = { ...request.message, taskId: id, contextId };
  const timestamp = ctx.now.toISOString();
  const events: [TaskEvent, TaskEvent] = [
    { type: 'message', message, source, taskMetadata: input.clientTask?.metadata },
    {
      type: 'status',
      status: { state: 'submitted', message: queued?.offline ? waitingMessage(id, contextId) : undefined, timestamp },
    },
  ];
  const { principal, credentialId, clientId, delegation = null } = caller;
  const idempotencyKey = deriveIdempotencyKey(input);
  const ownContextId = ownContextIdOf({ principal, agentId: agent.id, contextId, delegation });
  const hubRun = queued?.prepare(input, { taskId: id, contextId, ownContextId, message: agentMessage, turnSeq: 2 });
  const creating = createTask({
    id,
    principal,
    agentId: agent.id,
    contextId,
    opensContext: request.message.contextId === undefined,
    credentialId,
    clientId,
    delegation,
    runNode: nodeId(),
    events,
    idempotencyKey,
    idClaim: input.clientTask?.idClaim ?? null,
    hubRun,
    at: ctx.now,
  });
  // Computed while the database writes.
  const record: TaskRecord = {
    id,
    principal,
    agentId: agent.id,
    contextId,
    upstreamContextId: null,
    ownContextId,
    upstreamTaskId: null,
    credentialId,
    clientId,
    delegation,
    state: 'submitted',
    stateAt: ctx.now,
    lastSeq: 2,
    runNode: nodeId(),
    createdAt: ctx.now,
  };
  const fold = (): Task => foldTask({ id, contextId, createdAt: timestamp }, events);
  const turn: Turn = { record, task: fold(), seq: 2 };
  const run = toRun(call, record, fold());
  const created = await creating;
  if (!created) {
    const earlier = await findIdempotentTurn(caller, idempotencyKey);
    if (earlier) return { turn: earlier, run: null };
    throw new ParleyError('conflict', 'Another request used this task ID at the same time. Try again.');
  }
  failpoint('turn.stored');
  // `turn` and `run` share the record.
  if (request.message.contextId !== undefined) Object.assign(record, upstreamContextOf(record, created));
  if (request.configuration.push) await saveRequestedPush(ctx, caller, { input, record });
  return { turn, run };
}

function waitingMessage(taskId: string, contextId: string): Message {
  const parts: Message['parts'] = [{ kind: 'text', text: 'Waiting for the agent to come online.' }];
  return { messageId: newUuid(), role: 'agent', parts, taskId, contextId };
}

/**
 * The author of a message, determined only here: Parley for a notice; the original author for a message that a built-in
 * agent forwards; an agent that acts for the caller; else the caller. A promise only if a read is required.
 */
function sourceOf(
  { delegation }: Pick<CallerActor, 'delegation'>,
  { notice, passesOn }: Pick<SendInput, 'notice' | 'passesOn'>,
): MessageSource | Promise<MessageSource> {
  if (notice) return { origin: notice };
  if (passesOn !== undefined) return passedOnSource(passesOn);
  return { origin: delegation === undefined ? 'person' : 'agent' };
}

/** A message that cannot be traced to its author counts as written by the agent. */
async function passedOnSource(taskId: string): Promise<MessageSource> {
  const original = await findAnsweredMessage(taskId);
  return { origin: original?.origin ?? 'agent', passedOn: original?.key };
}
