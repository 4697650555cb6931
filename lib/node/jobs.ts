import { metrics } from '@opentelemetry/api';
import { addGauges } from '../observability';
import { createRest, type RestOptions } from '../platform/runtime/activity';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { MINUTE_MS } from '../platform/time';

/** Periodic work of this node. Times are monotonic, in milliseconds. */
interface Job {
  intervalMs: number;
  /** The time of the last success, initially the start of the node. */
  succeededAt: number;
  /** The duration of the last round, successful or not. */
  lastMs: number;
}

const jobs = new Map<string, Job>();

/** Created at the first failure, because an instrument that exists before telemetry starts is never exported. */
const failures = once(() =>
  metrics.getMeter('parley').createCounter('job.failures', { description: 'Rounds of a job that failed' }),
);

/**
 * The work of a job. Returns false if it was not possible, or the number of items found; if that is positive, the next
 * round starts immediately. With `nextDue`, work that becomes due does not wait for the slow poll of an idle node.
 */
type Work = (() => Promise<unknown>) | { round: () => Promise<unknown>; nextDue: NonNullable<RestOptions['nextDue']> };

/** Runs work at an interval. */
export type ScheduleEvery = (ms: number, errorEvent: string, work: Work) => NodeJS.Timeout;

/**
 * Returns the scheduler of a node's jobs, which runs work periodically until `stop`. While every node is idle, work
 * with an interval of less than a minute runs only when it is due ({@link createRest}). Rounds never overlap: a slow
 * round delays the next one. The name of a job in metrics is its `errorEvent` without `_failed`.
 */
export function jobScheduler(stop: AbortSignal, times?: RestOptions['times']): ScheduleEvery {
  return (ms, errorEvent, work) => {
    const name = errorEvent.replace(/_failed$/, '');
    const job: Job = { intervalMs: ms, succeededAt: performance.now(), lastMs: 0 };
    jobs.set(name, job);
    const { round, nextDue } = typeof work === 'function' ? { round: work, nextDue: undefined } : work;
    const rest = createRest({ name, nextDue, times });
    let running = false;
    async function tick(): Promise<void> {
      if (running) return;
      running = true;
      const startedAt = performance.now();
      try {
        const result = ms >= MINUTE_MS || (await rest.isRoundDue()) ? await round() : 0;
        if (result !== false) job.succeededAt = performance.now();
        if (result === false || (typeof result === 'number' && result > 0)) rest.wake();
      } catch (error) {
        if (stop.aborted) return;
        log.error(errorEvent, errorFields(error));
        failures().add(1, { name });
      } finally {
        job.lastMs = performance.now() - startedAt;
        running = false;
      }
    }
    return setInterval(() => void tick(), ms).unref();
  };
}

/** Adds the gauges of jobs, with the job's name as their label. */
export function addJobGauges(): void {
  const measure = (read: (job: Job) => number) => () =>
    [...jobs].map(([name, job]) => ({ value: read(job) / 1000, attributes: { name } }));
  addGauges(
    'job.interval',
    'How often a job runs, seconds',
    measure(({ intervalMs }) => intervalMs),
  );
  addGauges(
    'job.last_duration',
    'Duration of the last round of a job, seconds',
    measure(({ lastMs }) => lastMs),
  );
  addGauges(
    'job.since_success',
    'Time since a job succeeded, seconds',
    measure(({ succeededAt }) => performance.now() - succeededAt),
  );
}
