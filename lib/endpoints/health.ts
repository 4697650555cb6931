import type { Endpoint } from '../http/endpoint';
import { findFailures } from '../platform/readiness';

/** Seconds after which a caller may look again (RFC 9110 §10.2.3). */
const retryAfter = '2';

/** `GET /healthz`: this process answers. */
export const health: Endpoint = async () => healthResponse(200, { status: 'alive' });

/**
 * `GET /readyz`: 200 only when this node can serve (the database answers and can be written, its clock and schema fit, keys open, demo
 * agents answer, and the node is not being stopped); else 503 with `Retry-After`, naming what fails and why. Within a second.
 */
export const readiness: Endpoint = async () => {
  const reasons = await findFailures();
  const failing = Object.keys(reasons);
  if (failing.length === 0) return healthResponse(200, { status: 'ready' });
  return healthResponse(503, { status: 'not ready', failing, reasons }, { 'retry-after': retryAfter });
};

function healthResponse(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
