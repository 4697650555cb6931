import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { getRetention } from '../account';
import { getSearchMode } from '../embeddings';
import type { SearchModeView } from '../embeddings/schema';
import { endpoint } from '../http/endpoint';
import type { Handler, HttpResponse } from '../http/handler';
import { cachedJsonRoute } from '../http/routes/cached-document';
import { isMailServerReachable, isSmtpConfigured } from '../identity';
import { describeNotices, isListening } from '../platform/bus';
import { describeReplicas } from '../platform/db/replicas/read-from-replica';
import { readReplication } from '../platform/db/replication';
import { describeEventStream } from '../platform/event-stream/event-stream';
import { env } from '../platform/runtime/env';
import { failuresOf, findFailures, readinessChecks } from '../platform/runtime/readiness';
import { time } from '../platform/schema';
import { type Retention, retentionSchema } from '../platform/schema-retention';
import { type Checks, getStatus } from '.';
import { READINESS_DETAIL_TIMEOUT_MS, READINESS_RETRY_SECONDS, STATUS_CHECK_TIMEOUT_MS } from './limits';
import { COMPONENTS, type StatusView } from './schema';

const componentHealth = z.enum(['up', 'down', 'unknown']);
const share = z.number().min(0).max(1);

const searchMode: z.ZodType<SearchModeView> = z.object({
  mode: z.enum(['meaning', 'words']),
  model: z.string().nullable(),
  reason: z.enum(['off', 'filling', 'failing']).nullable(),
  filling: z.object({ model: z.string(), share }).nullable(),
});

const statusView: z.ZodType<StatusView & { search: SearchModeView; retentionDays: Retention }> = z.object({
  health: componentHealth,
  components: z.array(
    z.object({
      component: z.enum(COMPONENTS),
      health: componentHealth,
      checkedAt: time.nullable(),
      uptime: share.nullable(),
      days: z.array(z.object({ day: z.iso.date(), uptime: share.nullable() })),
    }),
  ),
  incidents: z.array(z.object({ component: z.enum(COMPONENTS), from: time, to: time.nullable(), failed: share })),
  search: searchMode.describe('Whether semantic search is available, and its model'),
  retentionDays: retentionSchema.describe('Days that each kind of data is kept; null for no limit'),
});

/** `GET /healthz`: returns success if this process responds. */
export const health = probe(async () => healthResponse(200, { status: 'alive' }));

/**
 * `GET /readyz`: 200 if this node can serve (writable database with matching clock and schema, keys unsealed, demo
 * agents running, no shutdown), otherwise 503 with `Retry-After` and the reasons. Responds within a second.
 */
export const readiness = probe(async () => {
  const reasons = await findFailures();
  const failing = Object.keys(reasons);
  if (failing.length === 0) {
    const [notices, replicas, events] = [describeNotices(), describeReplicas(), describeEventStream()];
    const [search, replication] = await Promise.all([orNull(getSearchMode()), orNull(readReplication())]);
    const warnings = replication === 'asynchronous' ? { replication: ASYNCHRONOUS } : undefined;
    return healthResponse(200, {
      status: 'ready',
      search,
      replication,
      ...(replicas && { replicas }),
      ...(notices && { notices }),
      ...(events && { events }),
      ...(warnings && { warnings }),
    });
  }
  return healthResponse(
    503,
    { status: 'not ready', failing, reasons },
    { 'retry-after': String(READINESS_RETRY_SECONDS) },
  );
});

/** Returns a handler that does not parse the URL, because load balancers may send an invalid Host. */
function probe(handler: () => Promise<HttpResponse>): Handler {
  return Object.assign(handler, { spec: { auth: 'none' as const } });
}

const ASYNCHRONOUS =
  'the database acknowledges writes before a standby has them, so a failover may lose the last ones; expected synchronous_standby_names and synchronous_commit = on';

/** Returns null if a detail cannot be read in time, which never makes a node unready. */
function orNull<T>(detail: Promise<T>): Promise<T | null> {
  const timeout = delay(READINESS_DETAIL_TIMEOUT_MS, null, { ref: false });
  return Promise.race([detail.catch(() => null), timeout]);
}

function healthResponse(status: number, body: object, headers: Record<string, string> = {}): HttpResponse {
  const fixed = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status, headers: { ...fixed, ...headers }, body: JSON.stringify(body) };
}

export const getStatusView = endpoint({
  method: 'GET',
  path: '/api/status',
  reads: 'replica',
  response: statusView,
  docs: { tag: 'Site', summary: 'Get the status of Parley, and how long it keeps data' },
  serve: cachedJsonRoute(async () => ({
    ...(await getStatus({ ctx: { now: new Date() } })),
    search: await getSearchMode(),
    retentionDays: getRetention(),
  })),
});

/** Returns the checks of every component on the status page. */
export function statusChecks(): Checks {
  const passes = async (checkName: string): Promise<boolean> => {
    const found = readinessChecks().filter(({ name }) => name === checkName);
    return found.length > 0 && Object.keys(await failuresOf(found)).length === 0;
  };
  return {
    web: checkPages,
    gateway: () => passes('keys'),
    database: () => passes('database'),
    events: async () => isListening(),
    ...(isSmtpConfigured() && { mail: isMailServerReachable }),
  };
}

/** Requests a file that Next serves from this server. */
function checkPages(): Promise<boolean> {
  const { HOST, PORT, APP_URL } = env();
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST;
  return new Promise((resolve) => {
    const options = {
      host,
      port: PORT,
      path: '/icon.svg',
      headers: { host: new URL(APP_URL).host },
      timeout: STATUS_CHECK_TIMEOUT_MS,
    };
    const request = get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
