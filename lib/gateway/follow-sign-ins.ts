import { findAgentById } from '../catalog';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { shared } from '../platform/registry';
import { adopting } from './adopting';
import { runTask } from './run-task';
import { runToken } from './run-token';
import { claimWaiting, findSignInsAwaited } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';
import { callAgent } from './upstream/call-agent';
import { upstreamIdOf } from './upstream/upstream-id';

/** How long an agent is asked whether somebody has signed in, how many tasks a round looks at and about how many it asks. */
const patienceMs = 3_600_000;
const mostWaiting = 2_000;
const perRound = 100;
/** Pauses between two questions about one task: a fifth of its waiting, within these. */
const shortestPauseMs = 2_000;
const longestPauseMs = 60_000;

/**
 * Looks after tasks whose agent waits for a sign-in elsewhere (`auth-required`): it goes on by itself once that is done
 * (A2A 1.0 §7.6), and nobody sends anything then. What it says from there is heard as that of any other run.
 */
export async function followSignIns({ now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  const waiting = await findSignInsAwaited({ since: new Date(now.getTime() - patienceMs), limit: mostWaiting });
  const asked = shared('sign-ins-asked', () => new Map<string, number>());
  const known = new Set(waiting.map(({ id }) => id));
  for (const id of asked.keys()) if (!known.has(id)) asked.delete(id);
  const lastAsked = ({ id, stateAt }: TaskRecord): number => asked.get(id) ?? stateAt.getTime();
  const due = waiting
    .filter((task) => now.getTime() - lastAsked(task) >= pauseOf(now.getTime() - task.stateAt.getTime()))
    .sort((a, b) => lastAsked(a) - lastAsked(b))
    .slice(0, perRound);
  for (const { id } of due) asked.set(id, now.getTime());
  await Promise.all(due.map((record) => goOn(record, signal)));
}

function pauseOf(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 5, shortestPauseMs), longestPauseMs);
}

/** An agent that does not answer is asked again in the next round; only one that went on has a run to be heard. */
async function goOn(waiting: TaskRecord, signal: AbortSignal): Promise<void> {
  try {
    const agent = await findAgentById(waiting.agentId);
    const taskId = agent && upstreamIdOf(agent, waiting);
    if (!agent || !taskId) return;
    const token = await runToken(waiting, agent);
    const requestId = newId('req');
    let wentOn = false;
    for await (const batch of await callAgent({ agent, request: { op: 'get', taskId }, requestId, token, signal })) {
      wentOn ||= batch.some((item) => item.type === 'task' && item.state !== 'auth-required');
    }
    if (!wentOn) return;
    await adopting(async () => {
      const record = await claimWaiting(waiting);
      if (!record) return;
      const { task, seq } = await loadTask(record);
      void runTask({ record: { ...record, lastSeq: seq }, agent, task, requestId });
    });
  } catch (error) {
    if (!signal.aborted) log.info('run.sign_in_not_heard', { taskId: waiting.id, ...errorFields(error) });
  }
}
