import { type Attributes, metrics, trace } from '@opentelemetry/api';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { DURATION_BUCKETS_SECONDS, METRIC_EXPORT_MS } from './limits';
import { startLogExport } from './log-export';
import { serveMetrics } from './metrics-server';

/** True if Prometheus or OTLP export is configured. */
export function isTelemetryEnabled(): boolean {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  return METRICS_PORT !== undefined || OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
}

/**
 * Starts the export of telemetry: to Prometheus on `METRICS_PORT`, and over OTLP to the collector at
 * `OTEL_EXPORTER_OTLP_ENDPOINT`. If both are unset, it loads no modules. Returns a function that flushes and stops the
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

type Resource = ReturnType<typeof import('@opentelemetry/resources').resourceFromAttributes>;

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

/** Adds a gauge of this process, such as open streams; `read` is called at each collection. */
export function addGauge(name: string, description: string, read: () => number): void {
  addGauges(name, description, () => [{ value: read() }]);
}

/** Adds a gauge with a series per set of attributes; `read` is called at each collection. */
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
