import type { ServerResponse } from 'node:http';
import { type Histogram, metrics } from '@opentelemetry/api';
import { once } from '../platform/runtime/once';
import { isTelemetryEnabled } from './telemetry';

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
 * Measures a response until it ends, if telemetry is on. `route` is the path of the endpoint with the names of its
 * parameters, `page`, `asset` or `unmatched`: never a path that a client chose, because each would create a new series.
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
