import { monitorEventLoopDelay } from 'node:perf_hooks';
import { busLagMs, isCarriedByNats, isListening } from '../platform/bus';
import { countConnections } from '../platform/db/connections';
import { EVENT_LOOP_RESOLUTION_MS } from './limits';
import { addGauge, isTelemetryEnabled } from './telemetry';

const NANOSECONDS = 1e9;

/** Adds the gauges of this process: event loop, memory, connection pool and bus. */
export function measureProcess(): void {
  if (!isTelemetryEnabled()) return;
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  addGauge('process.event_loop.delay.p99', 'Delay of the event loop since the last collection, seconds', () => {
    const seconds = delay.percentile(99) / NANOSECONDS;
    delay.reset();
    return seconds;
  });
  addGauge('process.memory.rss', 'Resident memory, bytes', () => process.memoryUsage.rss());
  addGauge('process.memory.heap', 'Used JavaScript heap, bytes', () => process.memoryUsage().heapUsed);
  addGauge('db.pool.connections', 'Open connections of the pool', () => countConnections().open);
  addGauge('db.pool.idle', 'Connections of the pool that are not in use', () => countConnections().idle);
  addGauge('db.pool.waiting', 'Statements that wait for a connection', () => countConnections().waiting);
  addGauge('bus.nats', '1 while NATS carries frequent notifications, else 0', () => Number(isCarriedByNats('task')));
  addGauge('bus.listening', '1 while notifications of other nodes arrive, else 0', () => Number(isListening()));
  addGauge('bus.lag', 'How long a notification takes, seconds', () => busLagMs() / 1000);
}
