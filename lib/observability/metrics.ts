import type { ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import {
  type Context,
  type Counter,
  type Histogram,
  metrics,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { busLagMs, isCarriedByNats, isListening } from '../platform/bus';
import type { Trace } from '../platform/context';
import { countConnections } from '../platform/db/connections';
import { countReplicaReads } from '../platform/db/replicas/read-context';
import { measureReplicaLags } from '../platform/db/replicas/read-from-replica';
import { extraTaskDatabases } from '../platform/db/task-databases/task-databases';
import { describeEventStream } from '../platform/event-stream/event-stream';
import { log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { EVENT_LOOP_RESOLUTION_MS } from './limits';
import { addGauge, addGauges, isTelemetryEnabled } from './telemetry';

/** Methods with their own label in the metrics, because a client can send any other method. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const duration = once(
  (): Histogram =>
    metrics.getMeter('parley').createHistogram('http.server.request.duration', {
      description: 'Time from the request to the end of its response',
      unit: 's',
    }),
);

/**
 * Measures a response until it ends, if telemetry is enabled. `route` is the path of the endpoint with the names of its
 * parameters, or `page`, `asset` or `unmatched`. It must not be a path that a client chose, because each would create a
 * new series.
 */
export function measureResponse(response: ServerResponse, { method, route }: { method: string; route: string }): void {
  if (!isTelemetryEnabled()) return;
  const startedAt = performance.now();
  response.once('close', () => {
    duration().record((performance.now() - startedAt) / 1000, {
      'http.request.method': methods.has(method) ? method : '_OTHER',
      'http.route': route,
      // A client that disconnected before the end has no status.
      'http.response.status_code': response.writableFinished ? response.statusCode : 0,
    });
  });
}

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
  addGauges('db.task_database', '1 while this node uses the database of owners, 0 while it is unavailable', () =>
    extraTaskDatabases().map(({ name, isReachable }) => ({ value: Number(isReachable), attributes: { name } })),
  );
  addGauges('db.replica.lag', 'How far a replica is behind, seconds', () =>
    measureReplicaLags().map(({ replica, seconds }) => ({ value: seconds, attributes: { replica } })),
  );
  addGauges('db.reads', 'Statements that a replica may answer, by the server that answered', () =>
    Object.entries(countReplicaReads()).map(([target, value]) => ({ value, attributes: { target } })),
  );
  addGauge('bus.nats', '1 while NATS carries frequent notifications, else 0', () => Number(isCarriedByNats('task')));
  addGauges('events.stream', '1 while JetStream stores events of running tasks first, 0 while it does not', () => {
    const stream = describeEventStream();
    return stream ? [{ value: Number(stream.over === 'jetstream') }] : [];
  });
  addGauge('bus.listening', '1 while notifications of other nodes arrive, else 0', () => Number(isListening()));
  addGauge('bus.lag', 'How long a notification takes, seconds', () => busLagMs() / 1000);
}

/** The concierge's decision on a message, and the user's override. */
interface RoutingOutcome {
  outcome: 'rule' | 'model' | 'person' | 'executor' | 'follow-up' | 'asked';
  /** `not-first`: the user chose an agent other than the first one. `changed`: the user requested another agent. */
  override?: 'not-first' | 'changed';
}

interface Counters {
  routed: Counter;
  overridden: Counter;
}

const counters = once((): Counters => {
  const meter = metrics.getMeter('parley');
  return {
    routed: meter.createCounter('concierge.messages', {
      description: 'Messages that the concierge routed or asked about',
    }),
    overridden: meter.createCounter('concierge.overrides', { description: 'Choices that the user changed' }),
  };
});

/** Counts a decision of the concierge. */
export function countRouting({ outcome, override }: RoutingOutcome): void {
  counters().routed.add(1, { outcome });
  if (override) counters().overridden.add(1, { override });
}

/** One A2A request to Parley, for the log and the metrics. */
export interface CallLog {
  requestId: string;
  /** The agent's slug. */
  agent: string;
  /** Protocol method, such as `message/send`; empty if it could not be parsed. */
  method: string;
  dialect: string;
  transport: 'jsonrpc' | 'rest' | 'grpc';
  /** The caller's trace, of which the call's span is a child. */
  trace: Trace | undefined;
}

interface CallOutcome {
  /** HTTP status. */
  status: number;
  /** Parley's error code; undefined if the call succeeded. */
  code: string | undefined;
  streamed: boolean;
}

interface Instruments {
  tracer: Tracer;
  calls: Counter;
  duration: Histogram;
}

const instruments = once((): Instruments => {
  const meter = metrics.getMeter('parley');
  return {
    tracer: trace.getTracer('parley'),
    calls: meter.createCounter('a2a.calls', { description: 'A2A calls that were answered' }),
    duration: meter.createHistogram('a2a.call.duration', {
      description: 'Time from the request to the end of its response',
      unit: 's',
    }),
  };
});

/**
 * Starts the timer and the span of a call, which is a child of the caller's span if there is one. The returned function
 * ends them and writes one log line, which contains no tokens, message texts or user ids.
 */
export function startCallLog(callerTrace?: Trace): (call: CallLog, end: CallOutcome) => void {
  const startedAt = performance.now();
  const measured = isTelemetryEnabled() ? measureCall(callerTrace) : null;
  return (call, end) => {
    const { status, code, streamed } = end;
    const ms = performance.now() - startedAt;
    // No spreads here and below, because V8 would give each such literal a new hidden class.
    const { requestId, agent, method, dialect, transport } = call;
    log.info('call', {
      requestId,
      agent,
      method,
      dialect,
      transport,
      status,
      code,
      streamed,
      ms: Math.round(ms * 10) / 10,
      traceId: measured?.span.spanContext().traceId,
      spanId: measured?.span.spanContext().spanId,
    });
    measured?.end(call, end, ms);
  };
}

interface MeasuredCall {
  span: Span;
  /** Ends the span and records the metrics. */
  end: (call: CallLog, outcome: CallOutcome, ms: number) => void;
}

function measureCall(callerTrace: Trace | undefined): MeasuredCall {
  const span = instruments().tracer.startSpan('a2a.call', { kind: SpanKind.SERVER }, parentContext(callerTrace));
  return {
    span,
    end({ requestId, agent, method, dialect, transport }, { status, code }, ms) {
      const outcome = code ?? 'ok';
      const attributes = { method, dialect, transport, outcome };
      const { calls, duration } = instruments();
      calls.add(1, attributes);
      duration.record(ms / 1000, attributes);
      const spanAttributes = {
        method,
        dialect,
        transport,
        outcome,
        agent,
        'request.id': requestId,
        'http.response.status_code': status,
      };
      span.setAttributes(spanAttributes);
      if (code) span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      span.end();
    },
  };
}

function parentContext(caller: Trace | undefined): Context {
  if (!caller) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = caller;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}
