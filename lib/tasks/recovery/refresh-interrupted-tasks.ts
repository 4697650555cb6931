import { type AgentRecord, findAgentById } from '../../catalog';
import { consume } from '../../limits';
import { nodeId, publish } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId, newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, isId, isInterrupted } from '../../protocol/a2a/core/model';
import { readAgentResult } from '../../protocol/a2a/dialects';
import type { JsonValue } from '../../protocol/json';
import { abortRun, withClaimLock } from '../active/active-runs';
import { requireReachable } from '../agent-client/circuit-breaker';
import { INTERRUPTED_POLL_TIMEOUT_MS, REFRESH_BACKOFF_MS, REFRESH_TIMEOUT_MS } from '../limits';
import { Normalizer } from '../log/normalizer';
import { emitPaymentEvents, extractPaymentParts } from '../log/payment-events';
import { isPushSecret } from '../push/agent-push';
import { agentPushRateLimit } from '../rate-limits';
import { cancelNamedTask } from '../runs/pending-cancels';
import type { Snapshot } from '../runs/run-source';
import { startRun } from '../runs/run-task';
import { runSourceOf } from '../sources/choose-source';
import { appendEvents } from '../store/append-events';
import { claimDuePolls, claimPoll, findInterruptedTask, postponePoll } from '../store/interrupted-tasks';
import { findCanceledTask } from '../store/pending-cancel-rows';
import type { TaskRecord } from '../store/records';
import { loadTask } from '../store/task-events';

interface RefreshInput {
  record: TaskRecord;
  agent: AgentRecord;
  requestId: string;
  signal: AbortSignal;
}

/**
 * Reads an interrupted task from its agent and appends the changes since then. Starts a run for a task that is working
 * again. Writes nothing after a concurrent write.
 * @throws {ParleyError} errors of the call to the agent; `agent_unreachable` while the breaker is open
 */
async function refreshInterruptedTask(input: RefreshInput): Promise<void> {
  const { record, agent, requestId } = input;
  requireReachable(agent.id, new Date());
  const source = runSourceOf(agent);
  const snapshot = await source.read({ ...input, quiet: true });
  if (!snapshot) return;
  await withClaimLock(async () => {
    const { task, seq } = await loadTask(record);
    if (seq !== record.lastSeq || !isInterrupted(task.status.state)) return;
    const normalizer = new Normalizer(task, snapshot.taskId);
    normalizer.fallbackContextId = record.upstreamContextId ?? record.ownContextId;
    const events = missedEvents(normalizer, snapshot);
    if (events.length === 0) return;
    const turnEnded = endsTurn(task.status.state);
    const runNode = turnEnded ? null : nodeId();
    // A trailing stream would continue from a superseded position.
    abortRun(record.id);
    const at = new Date();
    const { upstreamTaskId, upstreamContextId } = normalizer;
    const upstream = { upstreamTaskId, upstreamContextId };
    if (
      !(await appendEvents({
        principal: record.principal,
        taskId: record.id,
        after: seq,
        events,
        runNode,
        ...upstream,
        at,
      }))
    )
      return;
    await emitPaymentEvents(record, seq + events.length, extractPaymentParts(task, events));
    if (turnEnded) return;
    const claimed: TaskRecord = {
      ...record,
      upstreamTaskId: upstreamTaskId ?? record.upstreamTaskId,
      upstreamContextId: upstreamContextId ?? record.upstreamContextId,
      lastSeq: seq + events.length,
      runNode,
      state: task.status.state,
    };
    startRun({ record: claimed, agent, task, requestId, source });
  });
}

/**
 * Returns the events of the snapshot that are missing in the normalizer's task, which is updated; none if there are no
 * changes.
 */
function missedEvents(normalizer: Normalizer, snapshot: Snapshot): TaskEvent[] {
  const { task } = normalizer;
  const before = task.status;
  normalizer.markResumed();
  const events = normalizer.accept(snapshot, new Date());
  const status = events.findLast((event) => event.type === 'status');
  if (events.length > 0 && !status) return [...events, { type: 'status', status: task.status }];
  // Some agents never store their question, so a bare "working" does not withdraw it.
  const isBare = events.length === 1 && !endsTurn(task.status.state) && !status?.status.message;
  return isBare && before.state === 'input-required' ? [] : events;
}

/**
 * Refreshes an interrupted task before a read or a reply, with a short timeout. After a failure, readers do not retry
 * for some time, and the task stays unchanged.
 */
export async function refreshForReader(
  { record, agent, minAgeMs }: { record: TaskRecord; agent: AgentRecord; minAgeMs: number },
  { requestId, now }: Pick<Ctx, 'requestId' | 'now'>,
): Promise<void> {
  try {
    if (!(await claimPoll(record, { now, minAgeMs }))) return;
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
    await refreshInterruptedTask({ record, agent, requestId, signal });
  } catch (error) {
    if (!(error instanceof ParleyError || error instanceof DOMException)) throw error;
    await postponePoll(record, new Date(now.getTime() + REFRESH_BACKOFF_MS));
  }
}

/** Returns true for an interrupted task that no node runs. */
export function isAwaitingCaller({ state, runNode }: Pick<TaskRecord, 'state' | 'runNode'>): boolean {
  return isInterrupted(state) && runNode === null;
}

/**
 * Polls agents for interrupted tasks, because an agent may continue after a sign-in elsewhere (A2A 1.0 §7.6) or on its
 * own. Each task is polled at increasing intervals, by one node at a time. A failed poll is retried in a later round.
 */
export async function pollInterruptedTasks({ now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  const due = await claimDuePolls(now);
  await Promise.all(
    due.map(async (record) => {
      try {
        const agent = await findAgentById(record.agentId);
        if (!agent) return;
        const bounded = AbortSignal.any([signal, AbortSignal.timeout(INTERRUPTED_POLL_TIMEOUT_MS)]);
        await refreshInterruptedTask({ record, agent, requestId: newId('req'), signal: bounded });
      } catch (error) {
        if (!signal.aborted) log.info('interrupted_task.poll_failed', { taskId: record.id, ...errorFields(error) });
      }
    }),
  );
}

/**
 * Handles a push from an agent: a running task is polled by its run, an interrupted one is refreshed here. Only the
 * agent's response to the poll is used. The body, which `readBody` returns, is read only for the id that the agent
 * assigned to a task after its cancel.
 * @throws {ParleyError} `invalid_token`, for a wrong secret and an unknown task alike; `rate_limited`
 */
export async function receiveAgentPush({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now' | 'requestId'>;
  input: { taskId: string; secret: string; readBody: () => Promise<JsonValue> };
}): Promise<void> {
  const { taskId, secret, readBody } = input;
  if (!isPushSecret(taskId, secret))
    throw new ParleyError('invalid_token', 'Expected the secret of this task in X-A2A-Notification-Token.');
  await consume(agentPushRateLimit, taskId, ctx.now);
  await publish('push', taskId);
  const canceled = await findCanceledTask(taskId);
  if (canceled) {
    // A body that cannot be read identifies no task. The push itself is accepted with any content.
    const upstreamTaskId = readAgentResult(await readBody().catch(() => null), newUuid)?.taskId;
    // Not awaited, because the agent may not answer any call before it receives the response to its push.
    if (upstreamTaskId !== undefined && isId(upstreamTaskId))
      cancelNamedTask(canceled, upstreamTaskId, { requestId: ctx.requestId }).catch((error: unknown) =>
        log.warn('cancel.postponed', { taskId, ...errorFields(error) }),
      );
  }
  const record = await findInterruptedTask(taskId);
  const agent = record && (await findAgentById(record.agentId));
  if (record && agent) await refreshForReader({ record, agent, minAgeMs: 0 }, ctx);
}
