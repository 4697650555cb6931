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
import type { Trace } from '../platform/context';
import { log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { isTelemetryEnabled } from './telemetry';

/** One A2A request to Parley, for the log and the metrics. */
export interface CallLog {
  requestId: string;
  /** The agent's slug. */
  agent: string;
  /** Protocol method, such as `message/send`; empty if it could not be parsed. */
  method: string;
  dialect: string;
  transport: 'jsonrpc' | 'rest';
  /** The caller's trace, whose child the call's span is. */
  trace: Trace | undefined;
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
 * Starts the timer and span of a call, a child of the caller's span if it sent one. The returned function ends them and
 * writes one log line, which contains no tokens, message texts or user ids.
 */
export function startCallLog(callerTrace?: Trace): (call: CallLog, end: CallOutcome) => void {
  const startedAt = performance.now();
  const measured = isTelemetryEnabled() ? measureCall(callerTrace) : null;
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
