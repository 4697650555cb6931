import { shared } from '../platform/registry';
import type { StoredEvent } from './store/records';

/** A run of this process: its committed events, kept so that tails need not ask the database, and the way to end it. */
export interface LiveTask {
  events: StoredEvent[];
  stop: AbortController;
}

const keptEvents = 2_000;

function liveTasks(): Map<string, LiveTask> {
  return shared('live-tasks', () => new Map());
}

/** Opens the buffer of a run. */
export function openLive(taskId: string): LiveTask {
  const live: LiveTask = { events: [], stop: new AbortController() };
  liveTasks().set(taskId, live);
  return live;
}

/** Adds committed events; the oldest leave memory beyond 2,000, tails then read them from the database. */
export function addLive(live: LiveTask, events: StoredEvent[]): void {
  live.events.push(...events);
  if (live.events.length > keptEvents) live.events.splice(0, live.events.length - keptEvents);
}

/** Forgets the buffer of a run that is over. */
export function closeLive(taskId: string, live: LiveTask): void {
  if (liveTasks().get(taskId) === live) liveTasks().delete(taskId);
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
  const events = liveTasks().get(taskId)?.events;
  const first = events?.[0]?.seq;
  if (!events || first === undefined || after < first - 1) return null;
  return events.slice(after - first + 1);
}

/** Ends every run of this process without changing the tasks: the next node takes them up. For the end of the process. */
export async function stopRuns(): Promise<void> {
  for (const { stop } of liveTasks().values()) stop.abort();
  for (let waited = 0; liveTasks().size > 0 && waited < 50; waited++)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
