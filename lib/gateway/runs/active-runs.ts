import { LightAbortController } from '../../platform/abort';
import { publishLocally, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { processSingleton } from '../../platform/singleton';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Message } from '../../protocol/a2a/core/model';
import type { StoredEvent } from '../store/records';

/** A run of this process: its committed events, kept so that tails need not ask the database, and the way to end it. */
export interface ActiveRun {
  events: StoredEvent[];
  /** The sequence number before the first of them. */
  baseSeq: number;
  controller: LightAbortController;
  /** True once the agent's name of the task is on disk: another node can take the run up and lose nothing. */
  resumable: boolean;
  /** When the run began, milliseconds since 1970. */
  startedAt: number;
  /** Told when another node wrote to the task. */
  onRemoteWrite: () => void;
  /** The turn is over, and its stream is only read on in case that the agent goes on by itself. */
  trailing?: boolean;
  /** What the canceled status says when the agent says nothing: the caller's reason. */
  reason?: Message;
}

const maxBufferedEvents = 2_000;
/** Longest a run may last, and how often it is looked which one does, milliseconds. */
const maxRunMs = 3_600_000;
const sweepMs = 60_000;

/** All runs of this process. They are watched together: what is made for each of them alone is paid for with each message. */
function activeRuns(): Map<string, ActiveRun> {
  return processSingleton('live-tasks', () => {
    const all = new Map<string, ActiveRun>();
    subscribe('task', '*', (id, from) => {
      if (from === 'elsewhere') all.get(id)?.onRemoteWrite();
    });
    setInterval(() => abortExpiredRuns(all), sweepMs).unref();
    return all;
  });
}

function abortExpiredRuns(all: Map<string, ActiveRun>): void {
  const before = Date.now() - maxRunMs;
  for (const { startedAt: since, controller: stop } of all.values()) if (since < before) stop.abort(runTimedOut());
}

function runTimedOut(): ParleyError {
  return new ParleyError('agent_timeout', 'The agent took longer than an hour.');
}

/** Opens the buffer of a run whose task stands at `base`; `overtaken` is told when another node writes to it. */
export function registerRun(taskId: string, base: number, onRemoteWrite: (run: ActiveRun) => void): ActiveRun {
  const run: ActiveRun = {
    events: [],
    baseSeq: base,
    controller: new LightAbortController(),
    resumable: false,
    startedAt: Date.now(),
    onRemoteWrite: () => onRemoteWrite(run),
  };
  activeRuns().set(taskId, run);
  return run;
}

/** Adds committed events; the oldest leave memory beyond 2,000, tails then read them from the database. */
export function bufferEvents(run: ActiveRun, events: StoredEvent[]): void {
  run.events.push(...events);
  const surplus = run.events.length - maxBufferedEvents;
  if (surplus <= 0) return;
  run.events.splice(0, surplus);
  run.baseSeq += surplus;
}

/**
 * Forgets the buffer of a run that is over; who reads it goes on from the database. What it held is let go of beside: a map that
 * changes with every message leaves tables behind, and those keep what was in them alive until it is expensive to collect.
 */
export function unregisterRun(taskId: string, run: ActiveRun): void {
  if (activeRuns().get(taskId) !== run) return;
  activeRuns().delete(taskId);
  run.events = [];
  run.onRemoteWrite = noop;
  publishLocally('task', taskId);
}

const noop = (): void => undefined;

/** True while this process carries a run of the task. */
export function isRunning(taskId: string): boolean {
  return activeRuns().has(taskId);
}

/** How many runs this process carries, without those whose task waits for its caller. */
export function countRuns(): number {
  return activeRuns().size - countTrailingStreams();
}

/** How many streams are read on although their task waits for its caller. */
export function countTrailingStreams(): number {
  let count = 0;
  for (const { trailing: waits } of activeRuns().values()) if (waits) count += 1;
  return count;
}

/** Has this process's run of the task, if there is one, write the caller's reason where the agent confirms a cancel. */
export function setCancelReason(taskId: string, reason: Message): void {
  const run = activeRuns().get(taskId);
  if (run) run.reason = reason;
}

/** The events, with the caller's reason where the agent confirms a cancel and gives none. */
export function withCancelReason(taskId: string, events: TaskEvent[]): TaskEvent[] {
  const message = activeRuns().get(taskId)?.reason;
  if (!message) return events;
  return events.map((event) => {
    const bare = event.type === 'status' && event.status.state === 'canceled' && !event.status.message;
    return bare ? { ...event, status: { ...event.status, message } } : event;
  });
}

/** Ends this process's run of the task, if it has one. The task itself is not changed. */
export function abortRun(taskId: string): void {
  activeRuns().get(taskId)?.controller.abort();
}

/**
 * The events after `after` that are in memory; null when memory cannot tell (no run here, or older events are wanted)
 * and the database must be asked.
 */
export function bufferedEventsAfter(taskId: string, after: number): StoredEvent[] | null {
  const run = activeRuns().get(taskId);
  return run && after >= run.baseSeq ? run.events.slice(after - run.baseSeq) : null;
}

/** Ends runs of this process, all by default, without changing the tasks, and waits a second for it; answers the tasks whose run ended. */
export async function abortRuns(
  predicate: (taskId: string, run: ActiveRun) => boolean = () => true,
): Promise<string[]> {
  const stopped = [...activeRuns()].filter(([taskId, run]) => predicate(taskId, run));
  for (const [, { controller: stop }] of stopped) stop.abort();
  const hasEnded = ([taskId, run]: [string, ActiveRun]): boolean => activeRuns().get(taskId) !== run;
  for (let waited = 0; !stopped.every(hasEnded) && waited < 50; waited++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return stopped.filter(hasEnded).map(([taskId]) => taskId);
}
