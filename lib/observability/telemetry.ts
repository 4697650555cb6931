import { metrics, trace } from '@opentelemetry/api';
import { env } from '../platform/env';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';

const exportIntervalMs = 15_000;
/** Buckets of durations, seconds: from an answer out of memory to a stream of minutes. */
const bucketBoundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** True when somebody gets what is measured. */
export function isTelemetryEnabled(): boolean {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  return METRICS_PORT !== undefined || OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
}

/**
 * Begins to hand out what is measured: for Prometheus on `METRICS_PORT` (loopback alone), and to an OpenTelemetry collector
 * at `OTEL_EXPORTER_OTLP_ENDPOINT`. Without either nothing is loaded and every instrument does nothing. Answers the way to
 * stop, which sends what is left.
 */
export function startTelemetry(): Promise<() => Promise<void>> {
  return processSingleton('telemetry', start);
}

async function start(): Promise<() => Promise<void>> {
  const { METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT: collector } = env();
  if (!isTelemetryEnabled()) return async () => undefined;
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const resource = resourceFromAttributes({ 'service.name': 'parley' });
  const stops = [await startMetrics(resource, METRICS_PORT, collector)];
  if (collector) stops.push(await startTraces(resource, collector));
  return async () => {
    const ended = await Promise.allSettled(stops.map((stop) => stop()));
    for (const end of ended) if (end.status === 'rejected') log.debug('telemetry.stop_failed', errorFields(end.reason));
  };
}

type Resource = ReturnType<typeof import('@opentelemetry/resources').resourceFromAttributes>;

async function startMetrics(resource: Resource, port?: number, collector?: string): Promise<() => Promise<void>> {
  const { AggregationType, MeterProvider, PeriodicExportingMetricReader } = await import('@opentelemetry/sdk-metrics');
  const readers = [];
  if (port) {
    const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
    const exporter = new PrometheusExporter({ host: '127.0.0.1', port, preventServerStart: true });
    await exporter.startServer().catch((cause: unknown) => {
      throw new Error(`METRICS_PORT: found ${port}, which cannot be listened on; expected a free port.`, { cause });
    });
    readers.push(exporter);
  }
  if (collector) {
    const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
    const exporter = new OTLPMetricExporter({ url: `${collector.replace(/\/$/, '')}/v1/metrics` });
    readers.push(new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: exportIntervalMs }));
  }
  const aggregation = {
    type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM,
    options: { boundaries: bucketBoundaries },
  } as const;
  const views = [{ instrumentName: '*.duration', aggregation }];
  const provider = new MeterProvider({ resource, readers, views });
  metrics.setGlobalMeterProvider(provider);
  return () => provider.shutdown();
}

async function startTraces(resource: Resource, collector: string): Promise<() => Promise<void>> {
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({ url: `${collector.replace(/\/$/, '')}/v1/traces` });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  return () => provider.shutdown();
}
