import type { AgentRecord } from '../../catalog';
import { acquireSlot, consume } from '../../limits';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import { requireReachable } from '../agent-client/circuit-breaker';
import { ownerOf, requireCaller } from '../authorization';
import { admitDelegatedSend } from '../chains/admit-delegated-send';
import { SLOT_RETRY_AFTER_SECONDS } from '../limits';
import type { Turn } from '../log/turn';
import { toAgentReferences } from '../log/upstream-task-ids';
import { checkPushTarget } from '../push/push-configs';
import { activeTaskSlots, agentTaskSlots, sendRateLimit } from '../rate-limits';
import type { QueuedSend } from '../runs/run-source';
import { startRun } from '../runs/run-task';
import { deriveIdempotencyKey, findIdempotentTurn, type SendInput } from '../runs/send-input';
import { runSourceOf } from '../sources/choose-source';
import type { TaskRef } from '../store/records';
import { findAnsweredMessage } from '../store/task-events';
import { chargeTurn, type TurnCharge } from './charge-turn';
import { continueTask, startTask } from './write-turn';

/**
 * Starts a turn: a new task, or the reply to an interrupted one. It is persisted before the agent is called. The same
 * send with the same key returns the stored task and never runs twice.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (finished), `task_busy`, `invalid_params`,
 *   `idempotency_mismatch`, `rate_limited`, `too_many_tasks`, `unavailable` (agent at its limit), `agent_unreachable`
 *   (breaker open), `payment_required`, `conflict` (client task id taken concurrently); for a delegated send, the errors of {@link
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

/** Checks a send and starts its turn. `newTaskId` is the id of the task that the send creates, by default a new one. */
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
  let charge: TurnCharge | null = null;
  try {
    const found = sourceOf(caller, input);
    const source = found instanceof Promise ? await found : found;
    const charging = chargeTurn(caller, input, { newTaskId, source, now: ctx.now });
    charge = charging instanceof Promise ? await charging : charging;
    if (charge.earlier) {
      release();
      return charge.earlier;
    }
    const { message } = input.request;
    const agentMessage = message.referenceTaskIds
      ? await toAgentReferences(message, { agent: input.agent, owner: ownerOf(caller) })
      : message;
    const runSource = runSourceOf(input.agent);
    queued = runSource.admit ? await runSource.admit(input.agent, release, ctx.now) : null;
    const call = {
      ctx,
      caller,
      input,
      agentMessage,
      queued,
      runSource,
      source,
    };
    const { turn, run } = message.taskId ? await continueTask(call) : await startTask(call, charge.taskId);
    if (!run) {
      queued?.cancel();
      release();
      await charge.cancel();
      return turn;
    }
    await charge.begin(turn);
    if (run === 'waits') return turn;
    turn.handle = startRun(run);
    const { end } = charge;
    turn.handle.onEnd(() => {
      release();
      end(turn);
    });
    return turn;
  } catch (error) {
    queued?.cancel();
    release();
    await charge?.cancel();
    throw error;
  }
}

/**
 * Returns the author of a message, determined only here: Parley for a notice; the original author for a message that a
 * built-in agent forwards; an agent that acts for the caller; otherwise the caller. Returns a promise only if a read is
 * required.
 */
function sourceOf(
  { principal, delegation }: Pick<CallerActor, 'principal' | 'delegation'>,
  { notice, passesOn }: Pick<SendInput, 'notice' | 'passesOn'>,
): MessageSource | Promise<MessageSource> {
  if (notice) return { origin: notice };
  if (passesOn !== undefined) return passedOnSource({ principal, id: passesOn });
  return { origin: delegation === undefined ? 'person' : 'agent' };
}

/**
 * Returns the author of the forwarded message. A message that cannot be traced to its author counts as written by the
 * agent.
 */
async function passedOnSource(task: TaskRef): Promise<MessageSource> {
  const original = await findAnsweredMessage(task);
  return { origin: original?.origin ?? 'agent', passedOn: original?.key };
}

type Release = () => void;

type PendingSlot = ReturnType<typeof acquireSlot>;

/**
 * Acquires one of the caller's task slots and one of the agent's; returns a function that releases both. Returns a
 * promise only if another node must be queried.
 * @throws {ParleyError} (synchronously or by rejection) `too_many_tasks`; `unavailable` if the agent is at its limit
 */
function acquireTaskSlots({ principal }: CallerActor, agent: AgentRecord): Release | Promise<Release> {
  const callerSlot = acquireSlot(activeTaskSlots, principal);
  const agentSlot = acquireSlot(agentTaskSlots(agent), agent.id);
  if (callerSlot instanceof Promise || agentSlot instanceof Promise) return awaitBoth(callerSlot, agentSlot, agent);
  return combine(callerSlot, agentSlot, agent);
}

async function awaitBoth(callerSlot: PendingSlot, agentSlot: PendingSlot, agent: AgentRecord): Promise<Release> {
  const [first, second] = await Promise.allSettled([callerSlot, agentSlot]);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return combine(first.value, second.value, agent);
  if (first.status === 'fulfilled') first.value?.();
  if (second.status === 'fulfilled') second.value?.();
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason;
}

function combine(callerSlot: Release | null, agentSlot: Release | null, agent: AgentRecord): Release {
  if (callerSlot && agentSlot) {
    return () => {
      callerSlot();
      agentSlot();
    };
  }
  callerSlot?.();
  agentSlot?.();
  throw callerSlot ? agentBusy(agent) : tooManyTasks();
}

function tooManyTasks(): ParleyError {
  const { name, max } = activeTaskSlots;
  const text = `${max} of your tasks are running, which is the limit. Wait for one to end.`;
  const limit = { name, quota: max, unit: 'concurrent-requests' as const };
  return new ParleyError('too_many_tasks', text, { retryAfter: SLOT_RETRY_AFTER_SECONDS, limit });
}

function agentBusy(agent: AgentRecord): ParleyError {
  const { max } = agentTaskSlots(agent);
  const text = `The agent is running ${max} tasks, which is its limit. Try again when one has ended.`;
  return new ParleyError('unavailable', text, { retryAfter: SLOT_RETRY_AFTER_SECONDS });
}
