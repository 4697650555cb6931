import { type Context, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { type LogAttributes, SeverityNumber } from '@opentelemetry/api-logs';
import type { Resource } from '@opentelemetry/resources';
import { type LogFields, type LogLevel, setLogSink } from '../platform/runtime/log';
import { LOG_EXPORT_MS, MAX_QUEUED_LOGS } from './limits';

const severities: Record<LogLevel, SeverityNumber> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
};

/**
 * Exports log lines, from LOG_LEVEL on, also to the OTLP endpoint `url`: the event as the body, its fields as
 * attributes. Lines queue in memory; beyond MAX_QUEUED_LOGS they are not exported, but still written to stderr. Returns
 * a function that flushes and stops.
 */
export async function startLogExport(resource: Resource, url: string): Promise<() => Promise<void>> {
  const { BatchLogRecordProcessor, LoggerProvider } = await import('@opentelemetry/sdk-logs');
  const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-http');
  const processor = new BatchLogRecordProcessor({
    exporter: new OTLPLogExporter({ url }),
    maxQueueSize: MAX_QUEUED_LOGS,
    scheduledDelayMillis: LOG_EXPORT_MS,
  });
  const provider = new LoggerProvider({ resource, processors: [processor] });
  const logger = provider.getLogger('parley');
  setLogSink(({ at, level, event, fields }) =>
    logger.emit({
      timestamp: at,
      severityNumber: severities[level],
      severityText: level.toUpperCase(),
      body: event,
      attributes: attributesOf(fields),
      context: contextOf(fields),
    }),
  );
  return async () => {
    setLogSink(null);
    await provider.shutdown();
  };
}

function attributesOf({ traceId, spanId, ...fields }: LogFields): LogAttributes {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

/** The trace of a line, as the context of its record. */
function contextOf({ traceId, spanId }: LogFields): Context {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
}
