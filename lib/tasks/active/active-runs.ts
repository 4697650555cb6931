import { keepInterest, publishLocally, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { markActive } from '../../platform/runtime/activity';
import { errorFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import type { Message } from '../../protocol/a2a/core/model';
import { MAX_RUN_MS, MAX_UNNAMED_RUNS, RUN_SWEEP_MS, STOP_POLL_MS, STOP_TIMEOUT_MS } from '../limits';
import type { StoredEvent } from '../store/records';
import type { RunHandle } from './run-handle';

/**
 * All runs of this process. They share subscriptions and one timer, because separate ones per run would be expensive.
 */
const activeRuns = once((): Map<string, RunHandle> => {
  const all = new Map<string, RunHandle>();
  subscribe('task', '*', (id, from) => {
    if (from === 'elsewhere') all.get(id)?.onRemoteWrite();
  });
  subscribe('chain', '*', (rootTaskId) => all.get(rootTaskId)?.onChainChange());
  setInterval(() => abortExpiredRuns(all), RUN_SWEEP_MS).unref();
  return all;
});

/**
 * Runs whose task was canceled before the agent assigned it an id. They are still read, because the cancel is requested
 * with that id.
 */
const unnamedRuns = new Set<RunHandle>();

function abortExpiredRuns(all: Map<string, RunHandle>): void {
  const before = performance.now() - MAX_RUN_MS;
  for (const { startedAt, controller } of [...all.values(), ...unnamedRuns])
    if (startedAt < before) controller.abort(runTimedOut());
}

function runTimedOut(): ParleyError {
  return new ParleyError('agent_timeout', 'The agent did not finish within an hour.');
}

/** Registers a run in this process. Replaces an earlier run of its task. */
export function registerRun(run: RunHandle): void {
  markActive();
  activeRuns().get(run.taskId)?.endInterest();
  activeRuns().set(run.taskId, run);
  run.endInterest = keepInterest('task', run.taskId);
}

/** Removes and releases a finished run. Readers continue from the database. */
export function unregisterRun(run: RunHandle): void {
  if (activeRuns().get(run.taskId) !== run) return;
  activeRuns().delete(run.taskId);
  markActive();
  run.endInterest();
  run.release();
  publishLocally('task', run.taskId);
}

/**
 * Detaches a run from its ended task. The run then writes no events and only waits until the agent assigns the task an
 * id; readers continue from the database. Returns false if the process has too many such runs.
 */
export function keepUnnamedRun(run: RunHandle): boolean {
  if (unnamedRuns.size >= MAX_UNNAMED_RUNS || activeRuns().get(run.taskId) !== run) return false;
  unnamedRuns.add(run);
  run.complete();
  unregisterRun(run);
  return true;
}

/** Removes a run that {@link keepUnnamedRun} kept. */
export function forgetUnnamedRun(run: RunHandle): void {
  unnamedRuns.delete(run);
}

/** Returns true while this process executes a run of the task. */
export function isRunning(taskId: string): boolean {
  return activeRuns().has(taskId);
}

/** Returns the tasks that this process runs, except those whose turn has ended. */
export function ownedTaskIds(): string[] {
  return [...activeRuns().values()].filter(({ trailing }) => !trailing).map(({ taskId }) => taskId);
}

/** Must be called when another node has written to a task that this process may be running. */
export function reportRemoteWrite(taskId: string): void {
  activeRuns().get(taskId)?.onRemoteWrite();
}

/** Counts the runs in this process, without trailing streams. */
export function countRuns(): number {
  return activeRuns().size - countTrailingStreams() + unnamedRuns.size;
}

/** Counts the streams that are still read although the turn of their task has ended. */
export function countTrailingStreams(): number {
  let count = 0;
  for (const { trailing } of activeRuns().values()) if (trailing) count += 1;
  return count;
}

/** Sets the message that this process's run of the task, if any, adds to the agent's confirmation of a cancel. */
export function setCancelReason(taskId: string, reason: Message): void {
  const run = activeRuns().get(taskId);
  if (run) run.cancelReason = reason;
}

/** Aborts this process's run of the task, if any. The task is unchanged. */
export function abortRun(taskId: string): void {
  activeRuns().get(taskId)?.controller.abort();
}

/** Aborts this process's run of the task, if any, and waits until all events that it received are persisted. */
export async function stopRun(taskId: string): Promise<void> {
  const run = activeRuns().get(taskId);
  if (!run) return;
  run.controller.abort();
  await run.drained().catch((error: unknown) => log.warn('run.write_failed', { taskId, ...errorFields(error) }));
}

/**
 * Returns the buffered events after `after`; null if the database must be read, because there is no run here or older
 * events are requested.
 */
export function bufferedEventsAfter(taskId: string, after: number): StoredEvent[] | null {
  return activeRuns().get(taskId)?.eventsAfter(after) ?? null;
}

/**
 * Aborts runs of this process, by default all, without changing their tasks, and waits for them for at most
 * STOP_TIMEOUT_MS. Returns the tasks whose run ended.
 */
export async function abortRuns(predicate: (run: RunHandle) => boolean = () => true): Promise<string[]> {
  const stopped = [...activeRuns().values(), ...unnamedRuns].filter(predicate);
  for (const { controller } of stopped) controller.abort();
  const hasEnded = (run: RunHandle): boolean => activeRuns().get(run.taskId) !== run && !unnamedRuns.has(run);
  for (let waited = 0; !stopped.every(hasEnded) && waited < STOP_TIMEOUT_MS; waited += STOP_POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
  return stopped.filter(hasEnded).map(({ taskId }) => taskId);
}

/** Settles when the most recent work that holds the claim lock has ended. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Serializes claiming and starting runs in this process, because a run that is claimed but not yet registered would
 * appear to be orphaned.
 */
export function withClaimLock<Result>(work: () => Promise<Result>): Promise<Result> {
  const next = last.then(work);
  last = next.catch(() => undefined);
  return next;
}
