import { setTimeout as delay } from 'node:timers/promises';
import { A2A_SERVICE } from '../../platform/grpc/a2a-codec';
import { FRAME_PREFIX_BYTES, withFramePrefix } from '../../platform/grpc/frames';
import { createMessageCodec } from '../../platform/grpc/message-codec';
import { statusTrailers } from '../../platform/grpc/status';
import { findFailures } from '../../platform/runtime/readiness';
import type { Handler } from '../handler';
import { GRPC_HEALTH_INTERVAL_MS } from '../limits';
import { EventStream } from '../sse';

// grpc.health.v1.Health (github.com/grpc/grpc, doc/health-checking.md): the same checks as `/readyz`.

const codec = createMessageCodec(
  { HealthCheckRequest: [[1, 'service', 'string']], HealthCheckResponse: [[1, 'status', 'ServingStatus']] },
  { ServingStatus: ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] },
);

type ServingStatus = 'SERVING' | 'NOT_SERVING' | 'SERVICE_UNKNOWN';

/** The methods of the health service by path. */
export const healthMethods: Record<string, Handler> = {
  '/grpc.health.v1.Health/Check': async (request) => {
    const status = await statusOf(request.arrayBuffer());
    if (status !== 'SERVICE_UNKNOWN') return { status: 200, headers: {}, body: encode(status) };
    const headers = statusTrailers({ name: 'NOT_FOUND', message: 'Unknown service.', details: [] });
    return { status: 404, headers, body: null };
  },
  '/grpc.health.v1.Health/Watch': async (request) => {
    const message = await request.arrayBuffer();
    const stopped = new AbortController();
    const batches = watch(Promise.resolve(message), stopped.signal);
    return EventStream.ofFrames({
      batches,
      encode: (status) => [encode(status)],
      onCancel: () => stopped.abort(),
    });
  },
};

async function statusOf(message: Promise<ArrayBuffer | Uint8Array>): Promise<ServingStatus> {
  const { service = '' } = codec.decode('HealthCheckRequest', (await message) as Buffer);
  if (service !== '' && service !== A2A_SERVICE) return 'SERVICE_UNKNOWN';
  return Object.keys(await findFailures()).length === 0 ? 'SERVING' : 'NOT_SERVING';
}

/** Yields the status, and then every change of it. */
async function* watch(
  message: Promise<ArrayBuffer | Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ServingStatus[]> {
  let known: ServingStatus | null = null;
  while (!signal.aborted) {
    const status = await statusOf(message);
    if (status !== known) yield [status];
    known = status;
    await delay(GRPC_HEALTH_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function encode(status: ServingStatus): Buffer {
  return withFramePrefix(codec.encode('HealthCheckResponse', { status }, FRAME_PREFIX_BYTES));
}
