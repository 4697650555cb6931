import type { AgentRecord } from '../catalog';
import { nodeId } from '../platform/bus';
import type { Ctx } from '../platform/context';
import { asParleyError } from '../platform/errors';
import { errorFields, log } from '../platform/log';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { endsTurn, isInterrupted } from '../protocol/a2a/core/model';
import { adopting } from './adopting';
import { askState, type Snapshot } from './ask-state';
import { completedOffers, tellOffers } from './heard-offers';
import { stopLive } from './live-tasks';
import { Normaliser } from './normalise';
import { runTask } from './run-task';
import { appendEvents } from './store/append-events';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';
import { claimPoll, postponePoll } from './store/waiting-tasks';
import { requireReachable } from './upstream/breaker';

/** How long a reader waits for the agent, and for how long an agent that did not answer is not asked by readers, milliseconds. */
const readerMs = 2_000;
const restMs = 15_000;

interface Waiting {
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
export async function refreshWaiting(waiting: Waiting): Promise<void> {
  const { record, agent, requestId } = waiting;
  requireReachable(agent.id, new Date());
  const snapshot = await askState({ ...waiting, quiet: true });
  if (!snapshot) return;
  await adopting(async () => {
    const { task, seq } = await loadTask(record);
    if (seq !== record.lastSeq || !isInterrupted(task.status.state)) return;
    const normaliser = new Normaliser(task, snapshot.taskId);
    normaliser.unnamedContextId = record.upstreamContextId ?? record.ownContextId;
    const events = eventsOf(normaliser, snapshot);
    if (events.length === 0) return;
    const isOver = endsTurn(task.status.state);
    const runNode = isOver ? null : nodeId();
    // A stream that is still read on would go on from where the task no longer stands.
    stopLive(record.id);
    const at = new Date();
    const { upstreamTaskId, upstreamContextId } = normaliser;
    const upstream = { upstreamTaskId, upstreamContextId };
    if (!(await appendEvents({ taskId: record.id, after: seq, events, runNode, ...upstream, at }))) return;
    await tellOffers(record, completedOffers(task, events)).catch((error: unknown) =>
      log.warn('offers.not_noted', { taskId: record.id, ...errorFields(error) }),
    );
    if (isOver) return;
    const taken: TaskRecord = {
      ...record,
      upstreamTaskId: upstreamTaskId ?? record.upstreamTaskId,
      upstreamContextId: upstreamContextId ?? record.upstreamContextId,
      lastSeq: seq + events.length,
      runNode,
      state: task.status.state,
    };
    void runTask({ record: taken, agent, task, requestId });
  });
}

/** What the snapshot adds to the normaliser's task, which is brought up to it; none when it says nothing new. */
function eventsOf(normaliser: Normaliser, snapshot: Snapshot): TaskEvent[] {
  const { task } = normaliser;
  const before = task.status;
  normaliser.resume();
  const events = normaliser.accept(snapshot, new Date());
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
    const signal = AbortSignal.timeout(readerMs);
    await refreshWaiting({ record, agent, requestId, signal });
  } catch (error) {
    if (!asParleyError(error) && !(error instanceof DOMException)) throw error;
    await postponePoll(record.id, new Date(now.getTime() + restMs));
  }
}

/** True for a task that waits for its caller and that no node runs. */
export function isWaiting({ state, runNode }: Pick<TaskRecord, 'state' | 'runNode'>): boolean {
  return isInterrupted(state) && runNode === null;
}
