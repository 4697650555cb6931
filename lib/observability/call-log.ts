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

/** One A2A call of a caller, as it is logged and measured. */
export interface CallLog {
  requestId: string;
  /** The agent's slug. */
  agent: string;
  /** Method of the wire, such as `message/send`; empty when it could not be read. */
  method: string;
  dialect: string;
  transport: 'jsonrpc' | 'rest';
}

export interface CallOutcome {
  /** HTTP status. */
  status: number;
  /** Our code of the error that the caller got; undefined when there was none. */
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
        description: 'From the request to the end of its answer',
        unit: 's',
      }),
    };
  });
}

/**
 * Begins to watch a call; the answer ends it, and writes its one log line. No token, no text of a message and no person's id
 * is in it.
 */
export function startCallLog(): (call: CallLog, end: CallOutcome) => void {
  const startedAt = performance.now();
  const endSpan = isTelemetryEnabled() ? measureCall() : null;
  return (call, end) => {
    const { status, code, streamed } = end;
    const ms = performance.now() - startedAt;
    // Written out, here and below: a literal that begins with a spread gets a shape of its own each time.
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

/** For Prometheus and collectors: begins a span, and ends it with what became of the call. */
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
      'http.status_code': status,
    };
    span.setAttributes(spanAttributes);
    if (code) span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    span.end();
  };
}
