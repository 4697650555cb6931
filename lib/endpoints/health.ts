import type { Endpoint } from '../http/endpoint';
import { readinessChecks } from '../platform/readiness';

/** `GET /healthz`: this process answers. */
export const health: Endpoint = async () => plain(200, { status: 'alive' });

/** `GET /readyz`: 200 only when every check passes (database, keys, pages, demo agents); else 503 naming what fails. */
export const readiness: Endpoint = async () => {
  const results = await Promise.all(
    readinessChecks().map(async ({ name, check }) => ({ name, ok: await check().catch(() => false) })),
  );
  const failing = results.filter(({ ok }) => !ok).map(({ name }) => name);
  return failing.length === 0 ? plain(200, { status: 'ready' }) : plain(503, { status: 'not ready', failing });
};

function plain(status: number, body: object): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}
