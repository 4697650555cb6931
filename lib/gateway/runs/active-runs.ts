import { LightAbortController } from '../../platform/abort';
import { publishLocally, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { processSingleton } from '../../platform/singleton';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Message } from '../../protocol/a2a/core/model';
import { MAX_RUN_MS, RUN_MAX_BUFFERED_EVENTS, RUN_SWEEP_MS, STOP_POLL_MS, STOP_TIMEOUT_MS } from '../limits';
import type { StoredEvent } from '../store/records';

/**
 * A run of this process: its committed events, buffered so that tails need not query the database, and its abort
 * controller.
 */
export interface ActiveRun {
  events: StoredEvent[];
  /** The sequence number before the first buffered event. */
  baseSeq: number;
  controller: LightAbortController;
  /** True once the agent's task id is stored: another node can resume the run without loss. */
  resumable: boolean;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Called when another node wrote to the task. */
  onRemoteWrite: () => void;
  /** The turn has ended; the stream is only read because the agent may continue. */
  trailing?: boolean;
  /** The message of the canceled status when the agent gives none: the caller's reason. */
  reason?: Message;
}

/** All runs of this process. They share one subscription and one timer, which would otherwise be a cost per message. */
function activeRuns(): Map<string, ActiveRun> {
  return processSingleton('live-tasks', () => {
    const all = new Map<string, ActiveRun>();
    subscribe('task', '*', (id, from) => {
      if (from === 'elsewhere') all.get(id)?.onRemoteWrite();
    });
    setInterval(() => abortExpiredRuns(all), RUN_SWEEP_MS).unref();
    return all;
  });
}

function abortExpiredRuns(all: Map<string, ActiveRun>): void {
  const before = Date.now() - MAX_RUN_MS;
  for (const { startedAt, controller } of all.values()) if (startedAt < before) controller.abort(runTimedOut());
}

function runTimedOut(): ParleyError {
  return new ParleyError('agent_timeout', 'The agent took longer than an hour.');
}

/** Registers a run whose task is at `baseSeq`; `onRemoteWrite` is called when another node writes to the task. */
export function registerRun(taskId: string, baseSeq: number, onRemoteWrite: (run: ActiveRun) => void): ActiveRun {
  const run: ActiveRun = {
    events: [],
    baseSeq,
    controller: new LightAbortController(),
    resumable: false,
    startedAt: Date.now(),
    onRemoteWrite: () => onRemoteWrite(run),
  };
  activeRuns().set(taskId, run);
  return run;
}

/** Buffers committed events. Beyond the maximum, tails read the oldest ones from the database. */
export function bufferEvents(run: ActiveRun, events: StoredEvent[]): void {
  run.events.push(...events);
  const surplus = run.events.length - RUN_MAX_BUFFERED_EVENTS;
  if (surplus <= 0) return;
  run.events.splice(0, surplus);
  run.baseSeq += surplus;
}

/**
 * Removes a finished run; readers continue from the database. Its buffer is emptied as well: a frequently changing map
 * keeps old backing tables, and thus their content, alive until an expensive collection.
 */
export function unregisterRun(taskId: string, run: ActiveRun): void {
  if (activeRuns().get(taskId) !== run) return;
  activeRuns().delete(taskId);
  run.events = [];
  run.onRemoteWrite = noop;
  publishLocally('task', taskId);
}

const noop = (): void => undefined;

/** True while this process executes a run of the task. */
export function isRunning(taskId: string): boolean {
  return activeRuns().has(taskId);
}

/** The number of runs in this process, without trailing streams. */
export function countRuns(): number {
  return activeRuns().size - countTrailingStreams();
}

/** The number of streams that are read although their task is interrupted. */
export function countTrailingStreams(): number {
  let count = 0;
  for (const { trailing } of activeRuns().values()) if (trailing) count += 1;
  return count;
}

/** Sets the message that this process's run of the task, if any, adds to the agent's cancel confirmation. */
export function setCancelReason(taskId: string, reason: Message): void {
  const run = activeRuns().get(taskId);
  if (run) run.reason = reason;
}

/** The events, with the caller's reason in a canceled status that has no message. */
export function withCancelReason(taskId: string, events: TaskEvent[]): TaskEvent[] {
  const message = activeRuns().get(taskId)?.reason;
  if (!message) return events;
  return events.map((event) => {
    const bare = event.type === 'status' && event.status.state === 'canceled' && !event.status.message;
    return bare ? { ...event, status: { ...event.status, message } } : event;
  });
}

/** Aborts this process's run of the task, if any. The task is unchanged. */
export function abortRun(taskId: string): void {
  activeRuns().get(taskId)?.controller.abort();
}

/**
 * The buffered events after `after`; null when the database must be read: no run here, or older events are requested.
 */
export function bufferedEventsAfter(taskId: string, after: number): StoredEvent[] | null {
  const run = activeRuns().get(taskId);
  return run && after >= run.baseSeq ? run.events.slice(after - run.baseSeq) : null;
}

/**
 * Aborts runs of this process, by default all, without changing their tasks, and waits for them up to STOP_TIMEOUT_MS.
 * Returns the tasks whose run ended.
 */
export async function abortRuns(
  predicate: (taskId: string, run: ActiveRun) => boolean = () => true,
): Promise<string[]> {
  const stopped = [...activeRuns()].filter(([taskId, run]) => predicate(taskId, run));
  for (const [, { controller }] of stopped) controller.abort();
  const hasEnded = ([taskId, run]: [string, ActiveRun]): boolean => activeRuns().get(taskId) !== run;
  for (let waited = 0; !stopped.every(hasEnded) && waited < STOP_TIMEOUT_MS; waited += STOP_POLL_MS)
    await new Promise((resolve) => setTimeout(resolve, STOP_POLL_MS));
  return stopped.filter(hasEnded).map(([taskId]) => taskId);
}
