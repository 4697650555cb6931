import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Attributes, type Context, metrics, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { type LogAttributes, SeverityNumber } from '@opentelemetry/api-logs';
import type { Resource } from '@opentelemetry/resources';
import { env } from '../platform/runtime/env';
import { errorFields, type LogFields, type LogLevel, log, setLogSink } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { constantTimeEqual, sha256 } from '../platform/secrets/crypto';
import { DURATION_BUCKETS_SECONDS, LOG_EXPORT_MS, MAX_QUEUED_LOGS, METRIC_EXPORT_MS } from './limits';

/** Returns true if Prometheus or OTLP export is configured. */
export function isTelemetryEnabled(): boolean {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  return METRICS_PORT !== undefined || OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
}

/**
 * Starts the export of telemetry: to Prometheus on `METRICS_PORT`, and over OTLP to the collector at
 * `OTEL_EXPORTER_OTLP_ENDPOINT`. If neither is set, loads no modules. Returns a function that flushes and stops the
 * export.
 */
export const startTelemetry = once(start);

async function start(): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector } = env();
  if (!isTelemetryEnabled()) return async () => undefined;
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'parley' });
  const stops = [await startMetrics(resource, collector)];
  if (collector) {
    stops.push(await startTraces(resource, collector));
    stops.push(await startLogExport(resource, urlOf(collector, 'logs')));
  }
  return async () => {
    const ended = await Promise.allSettled(stops.map((stop) => stop()));
    for (const end of ended) if (end.status === 'rejected') log.debug('telemetry.stop_failed', errorFields(end.reason));
  };
}

function urlOf(collector: string, signal: 'logs' | 'metrics' | 'traces'): string {
  return `${collector.replace(/\/$/, '')}/v1/${signal}`;
}

async function startMetrics(resource: Resource, collector?: string): Promise<() => Promise<void>> {
  const { METRICS_PORT, METRICS_HOST, METRICS_TOKEN } = env();
  const { AggregationType, MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const readers = [];
  let stopServer = async (): Promise<void> => undefined;
  if (METRICS_PORT) {
    const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
    const exporter = new PrometheusExporter({ preventServerStart: true });
    const serve = exporter.getMetricsRequestHandler.bind(exporter);
    stopServer = await serveMetrics(serve, { host: METRICS_HOST, port: METRICS_PORT, token: METRICS_TOKEN });
    readers.push(exporter);
  }
  if (collector) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    const exporter = new OTLPMetricExporter({ url: urlOf(collector, 'metrics') });
    readers.push(new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: METRIC_EXPORT_MS }));
  }
  const aggregation = {
    type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM,
    options: { boundaries: DURATION_BUCKETS_SECONDS },
  } as const;
  const views = [{ instrumentName: '*.duration', aggregation }];
  const provider = new MeterProvider({ resource, readers, views });
  metrics.setGlobalMeterProvider(provider);
  return async () => {
    await stopServer();
    await provider.shutdown();
  };
}

async function startTraces(resource: Resource, collector: string): Promise<() => Promise<void>> {
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({ url: urlOf(collector, 'traces') });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}

/** Adds a gauge of this process, such as open streams. `read` is called at each collection. */
export function addGauge(name: string, description: string, read: () => number): void {
  addGauges(name, description, () => [{ value: read() }]);
}

/** Adds a gauge with a series per set of attributes. `read` is called at each collection. */
export function addGauges(
  name: string,
  description: string,
  read: () => { value: number; attributes?: Attributes }[],
): void {
  const gauge = metrics.getMeter('parley').createObservableGauge(name, { description });
  gauge.addCallback((result) => {
    for (const { value, attributes } of read()) result.observe(value, attributes);
  });
}

interface MetricsAddress {
  host: string;
  port: number;
  /** The bearer token that scrapers must send; undefined if none is required. */
  token: string | undefined;
}

/**
 * Serves `GET /metrics` on a separate address. Returns a function that stops it.
 * @throws if the address cannot be opened
 */
async function serveMetrics(
  serve: (request: IncomingMessage, response: ServerResponse) => void,
  { host, port, token }: MetricsAddress,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end();
    if (token !== undefined && !isAuthorized(request, token))
      return response.writeHead(401, { 'www-authenticate': 'Bearer realm="metrics"' }).end();
    return serve(request, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
    (cause: unknown) => {
      const text = `METRICS_HOST, METRICS_PORT: found ${host} and ${port}, which cannot be opened; expected an address of this machine and a free port.`;
      throw new Error(text, { cause });
    },
  );
  server.unref();
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  return constantTimeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));
}

const severities: Record<LogLevel, SeverityNumber> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
};

/**
 * Exports log lines of LOG_LEVEL and above to the OTLP endpoint `url`, with the event as the body and its fields as
 * attributes. Lines are queued in memory; above MAX_QUEUED_LOGS they are only written to stderr. Returns a function
 * that flushes and stops.
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

/** Returns the trace of a line, as the context of its record. */
function contextOf({ traceId, spanId }: LogFields): Context {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
}
