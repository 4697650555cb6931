import type { AgentRecord } from '../../catalog';
import { nodeId } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { asParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, isInterrupted } from '../../protocol/a2a/core/model';
import { appendEvents } from '../store/append-events';
import { claimPoll, postponePoll } from '../store/interrupted-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { requireReachable } from '../upstream/circuit-breaker';
import { abortRun } from './active-runs';
import { withClaimLock } from './claim-lock';
import { fetchAgentTask, type Snapshot } from './fetch-agent-task';
import { Normalizer } from './normalizer';
import { emitPaymentEvents, extractPaymentParts } from './payment-events';
import { runTask } from './run-task';

/** How long a reader waits for the agent, and for how long an agent that did not answer is not asked by readers, milliseconds. */
const readerTimeoutMs = 2_000;
const backoffMs = 15_000;

interface RefreshInput {
  record: TaskRecord;
  agent: AgentRecord;
  requestId: string;
  signal: AbortSignal;
}

/**
 * Asks the agent for a task that waits for its caller, and writes what it has done by itself meanwhile. One that works again is
 * followed like any other run. Writes nothing when somebody else wrote first.
 * @throws {ParleyError} what the call of the agent throws; `agent_unreachable` while it is known to be down
 */
export async function refreshInterruptedTask(input: RefreshInput): Promise<void> {
  const { record, agent, requestId } = input;
  requireReachable(agent.id, new Date());
  const snapshot = await fetchAgentTask({ ...input, quiet: true });
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
    // A stream that is still read on would go on from where the task no longer stands.
    abortRun(record.id);
    const at = new Date();
    const { upstreamTaskId, upstreamContextId } = normalizer;
    const upstream = { upstreamTaskId, upstreamContextId };
    if (!(await appendEvents({ taskId: record.id, after: seq, events, runNode, ...upstream, at }))) return;
    await emitPaymentEvents(record, extractPaymentParts(task, events)).catch((error: unknown) =>
      log.warn('offers.not_noted', { taskId: record.id, ...errorFields(error) }),
    );
    if (turnEnded) return;
    const claimed: TaskRecord = {
      ...record,
      upstreamTaskId: upstreamTaskId ?? record.upstreamTaskId,
      upstreamContextId: upstreamContextId ?? record.upstreamContextId,
      lastSeq: seq + events.length,
      runNode,
      state: task.status.state,
    };
    void runTask({ record: claimed, agent, task, requestId });
  });
}

/** What the snapshot adds to the normaliser's task, which is brought up to it; none when it says nothing new. */
function missedEvents(normalizer: Normalizer, snapshot: Snapshot): TaskEvent[] {
  const { task } = normalizer;
  const before = task.status;
  normalizer.markResumed();
  const events = normalizer.accept(snapshot, new Date());
  const status = events.findLast((event) => event.type === 'status');
  if (events.length > 0 && !status) return [...events, { type: 'status', status: task.status }];
  // Some agents never store that they asked: a bare "working" does not take the question back.
  const isBare = events.length === 1 && !endsTurn(task.status.state) && !status?.status.message;
  return isBare && before.state === 'input-required' ? [] : events;
}

/**
 * Brings a waiting task up to date for somebody who reads or answers it, within two seconds. An agent that does not answer is left
 * alone for a while, and the task stays as it is.
 */
export async function refreshForReader(
  { record, agent, minAgeMs }: { record: TaskRecord; agent: AgentRecord; minAgeMs: number },
  { requestId, now }: Pick<Ctx, 'requestId' | 'now'>,
): Promise<void> {
  try {
    if (!(await claimPoll(record.id, { now, minAgeMs }))) return;
    const signal = AbortSignal.timeout(readerTimeoutMs);
    await refreshInterruptedTask({ record, agent, requestId, signal });
  } catch (error) {
    if (!asParleyError(error) && !(error instanceof DOMException)) throw error;
    await postponePoll(record.id, new Date(now.getTime() + backoffMs));
  }
}

/** True for a task that waits for its caller and that no node runs. */
export function isAwaitingCaller({ state, runNode }: Pick<TaskRecord, 'state' | 'runNode'>): boolean {
  return isInterrupted(state) && runNode === null;
}
