import { countSearches, measureFillBacklog } from '../embeddings';
import { rejectedShareOf } from '../http/admission/admission';
import { countStreams } from '../http/sse';
import { countConnections } from '../hub';
import { addGauge, addGauges, isTelemetryEnabled, measureProcess } from '../observability';
import { measureOutbox } from '../payments';
import { readReplication } from '../platform/db/replication';
import { errorFields, log } from '../platform/runtime/log';
import { countRuns, measurePushBacklog, measureQueuedRuns } from '../tasks';
import { addJobGauges } from './jobs';
import { BACKLOG_INTERVAL_MS, MAX_BACKLOG_AGE_MS } from './limits';

/** Adds the gauges of a node: of its process, its jobs and its domains. */
export function addNodeGauges(): void {
  measureProcess();
  addGauge('a2a.runs', 'Runs that this process executes', countRuns);
  addGauge('a2a.streams', 'Open event streams', countStreams);
  addGauge('a2a.workers', 'Connections of agents that connect to Parley', countConnections);
  for (const priority of ['calls', 'background'] as const)
    addGauge(`overload.${priority}`, 'Share of these requests that is rejected now', () => rejectedShareOf(priority));
  addGauge('search.meaning', 'Searches that used semantic search', () => countSearches().compared);
  addGauge('search.meaning_failed', 'Searches without a vector for semantic search', () => countSearches().failed);
  if (!isTelemetryEnabled()) return;
  addJobGauges();
  addBacklogGauges();
}

/**
 * Adds the gauges of pending work in the database. Every node counts the same rows, so a dashboard should use the
 * maximum. A scrape returns the last counts without waiting for the database. Counts that cannot be refreshed are
 * omitted.
 */
function addBacklogGauges(): void {
  const pushes = renewed('pushes', measurePushBacklog);
  addBacklog('push.backlog', 'Webhooks with an event to deliver', pushes);
  const outbox = renewed('outbox', measureOutbox);
  addBacklog('payments.outbox', 'Payment steps that are due', outbox);
  addGauges('payments.outbox.retried', 'Payment steps that failed repeatedly', () => measurement(outbox()?.retried));
  addBacklog('embeddings.backlog', 'Agents without a current vector', renewed('embeddings', measureFillBacklog));
  addBacklog('hub.queue', 'Runs that wait for a worker', renewed('hub', measureQueuedRuns));
  const replication = renewed('replication', readReplication);
  addGauges('db.synchronous', '1 if a standby stores each commit before it is acknowledged, 0 if not', () => {
    const kind = replication();
    return kind === null || kind === 'none' ? [] : [{ value: Number(kind === 'synchronous') }];
  });
}

/** The number of due items, and the age of the oldest in seconds. */
interface Backlog {
  due: number;
  seconds: number;
}

function addBacklog(name: string, description: string, read: () => Backlog | null): void {
  addGauges(`${name}.due`, description, () => measurement(read()?.due));
  addGauges(`${name}.age`, `${description}: age of the oldest, seconds`, () => measurement(read()?.seconds));
}

function measurement(value: number | undefined): { value: number }[] {
  return value === undefined ? [] : [{ value }];
}

/** Returns the last result of `measure`, and refreshes an old one in the background; null if there is none. */
function renewed<T>(name: string, measure: (now: Date) => Promise<T>): () => T | null {
  let last: { value: T; at: number } | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  async function renew(): Promise<void> {
    isRunning = true;
    try {
      last = { value: await measure(new Date()), at: performance.now() };
    } catch (error) {
      log.debug('backlog.count_failed', { backlog: name, ...errorFields(error) });
    } finally {
      isRunning = false;
    }
  }
  return () => {
    const now = performance.now();
    if (!isRunning && now - startedAt >= BACKLOG_INTERVAL_MS) {
      startedAt = now;
      void renew();
    }
    return last && now - last.at < MAX_BACKLOG_AGE_MS ? last.value : null;
  };
}
