import { StopSwitch } from '../platform/abort';
import { publishHere, subscribe } from '../platform/bus';
import { ParleyError } from '../platform/errors';
import { shared } from '../platform/registry';
import type { TaskEvent } from '../protocol/a2a/core/events';
import type { Message } from '../protocol/a2a/core/model';
import type { StoredEvent } from './store/records';

/** A run of this process: its committed events, kept so that tails need not ask the database, and the way to end it. */
export interface LiveTask {
  events: StoredEvent[];
  /** The sequence number before the first of them. */
  base: number;
  stop: StopSwitch;
  /** True once the agent's name of the task is on disk: another node can take the run up and lose nothing. */
  resumable: boolean;
  /** When the run began, milliseconds since 1970. */
  since: number;
  /** Told when another node wrote to the task. */
  overtaken: () => void;
  /** The turn is over, and its stream is only read on in case that the agent goes on by itself. */
  waits?: boolean;
  /** What the canceled status says when the agent says nothing: the caller's reason. */
  reason?: Message;
}

const keptEvents = 2_000;
/** Longest a run may last, and how often it is looked which one does, milliseconds. */
const maxRunMs = 3_600_000;
const sweepMs = 60_000;

/** All runs of this process. They are watched together: what is made for each of them alone is paid for with each message. */
function liveTasks(): Map<string, LiveTask> {
  return shared('live-tasks', () => {
    const all = new Map<string, LiveTask>();
    subscribe('task', '*', (id, from) => {
      if (from === 'elsewhere') all.get(id)?.overtaken();
    });
    setInterval(() => endOldRuns(all), sweepMs).unref();
    return all;
  });
}

function endOldRuns(all: Map<string, LiveTask>): void {
  const before = Date.now() - maxRunMs;
  for (const { since, stop } of all.values()) if (since < before) stop.abort(tooLong());
}

function tooLong(): ParleyError {
  return new ParleyError('agent_timeout', 'The agent took longer than an hour.');
}

/** Opens the buffer of a run whose task stands at `base`; `overtaken` is told when another node writes to it. */
export function openLive(taskId: string, base: number, overtaken: (live: LiveTask) => void): LiveTask {
  const live: LiveTask = {
    events: [],
    base,
    stop: new StopSwitch(),
    resumable: false,
    since: Date.now(),
    overtaken: () => overtaken(live),
  };
  liveTasks().set(taskId, live);
  return live;
}

/** Adds committed events; the oldest leave memory beyond 2,000, tails then read them from the database. */
export function addLive(live: LiveTask, events: StoredEvent[]): void {
  live.events.push(...events);
  const surplus = live.events.length - keptEvents;
  if (surplus <= 0) return;
  live.events.splice(0, surplus);
  live.base += surplus;
}

/**
 * Forgets the buffer of a run that is over; who reads it goes on from the database. What it held is let go of beside: a map that
 * changes with every message leaves tables behind, and those keep what was in them alive until it is expensive to collect.
 */
export function closeLive(taskId: string, live: LiveTask): void {
  if (liveTasks().get(taskId) !== live) return;
  liveTasks().delete(taskId);
  live.events = [];
  live.overtaken = nothing;
  publishHere('task', taskId);
}

const nothing = (): void => undefined;

/** True while this process carries a run of the task. */
export function isLive(taskId: string): boolean {
  return liveTasks().has(taskId);
}

/** How many runs this process carries, without those whose task waits for its caller. */
export function countRuns(): number {
  return liveTasks().size - countReadOn();
}

/** How many streams are read on although their task waits for its caller. */
export function countReadOn(): number {
  let count = 0;
  for (const { waits } of liveTasks().values()) if (waits) count += 1;
  return count;
}

/** Has this process's run of the task, if there is one, write the caller's reason where the agent confirms a cancel. */
export function expectCancel(taskId: string, reason: Message): void {
  const live = liveTasks().get(taskId);
  if (live) live.reason = reason;
}

/** The events, with the caller's reason where the agent confirms a cancel and gives none. */
export function withCancelReason(taskId: string, events: TaskEvent[]): TaskEvent[] {
  const message = liveTasks().get(taskId)?.reason;
  if (!message) return events;
  return events.map((event) => {
    const bare = event.type === 'status' && event.status.state === 'canceled' && !event.status.message;
    return bare ? { ...event, status: { ...event.status, message } } : event;
  });
}

/** Ends this process's run of the task, if it has one. The task itself is not changed. */
export function stopLive(taskId: string): void {
  liveTasks().get(taskId)?.stop.abort();
}

/**
 * The events after `after` that are in memory; null when memory cannot tell (no run here, or older events are wanted)
 * and the database must be asked.
 */
export function liveEventsAfter(taskId: string, after: number): StoredEvent[] | null {
  const live = liveTasks().get(taskId);
  return live && after >= live.base ? live.events.slice(after - live.base) : null;
}

/** Ends runs of this process, all by default, without changing the tasks, and waits a second for it; answers the tasks whose run ended. */
export async function stopRuns(which: (taskId: string, live: LiveTask) => boolean = () => true): Promise<string[]> {
  const stopped = [...liveTasks()].filter(([taskId, live]) => which(taskId, live));
  for (const [, { stop }] of stopped) stop.abort();
  const isOver = ([taskId, live]: [string, LiveTask]): boolean => liveTasks().get(taskId) !== live;
  for (let waited = 0; !stopped.every(isOver) && waited < 50; waited++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return stopped.filter(isOver).map(([taskId]) => taskId);
}
