import {
  type Counter,
  type Histogram,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { isTelemetryEnabled } from './telemetry';

/** One A2A request to Parley, as it is logged and measured. */
export interface CallLog {
  requestId: string;
  /** The agent's slug. */
  agent: string;
  /** Protocol method, such as `message/send`; empty if it could not be parsed. */
  method: string;
  dialect: string;
  transport: 'jsonrpc' | 'rest';
}

export interface CallOutcome {
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

function instruments(): Instruments {
  return processSingleton('call-instruments', () => {
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
}

/**
 * Starts the timer and span of a call. The returned function ends them and writes one log line, which contains no
 * tokens, message texts or user ids.
 */
export function startCallLog(): (call: CallLog, end: CallOutcome) => void {
  const startedAt = performance.now();
  const endSpan = isTelemetryEnabled() ? measureCall() : null;
  return (call, end) => {
    const { status, code, streamed } = end;
    const ms = performance.now() - startedAt;
    // No spreads here and below: V8 would give each such literal a new hidden class.
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
    });
    endSpan?.(call, end, ms);
  };
}

/** Starts a span; the returned function ends it and records the metrics. */
function measureCall(): (call: CallLog, end: CallOutcome, ms: number) => void {
  const span: Span = instruments().tracer.startSpan('a2a.call', { kind: SpanKind.SERVER });
  return ({ requestId, agent, method, dialect, transport }, { status, code }, ms) => {
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
  };
}
