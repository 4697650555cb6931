import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_QUEUED_LOGS } from '@/lib/observability/limits';
import { startLogExport } from '@/lib/observability/telemetry';
import { log } from '@/lib/platform/runtime/log';
import { waitFor } from '../../support/wait-for';

const resource = resourceFromAttributes({ 'service.name': 'parley' });
/** Records in one export, the default of OpenTelemetry. */
const batch = 512;

afterEach(() => vi.restoreAllMocks());

test('the log queue for an unavailable collector is bounded, and stderr receives every line', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const received: string[] = [];
  let requests = 0;
  let respond: () => void = () => undefined;
  const unblocked = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const collector = createServer(async (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await unblocked;
    received.push(Buffer.concat(chunks).toString('utf8'));
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const stop = await startLogExport(resource, `http://127.0.0.1:${port}/v1/logs`);
  try {
    const lines = 3 * MAX_QUEUED_LOGS;
    for (let line = 0; line < lines; line++) log.error('test.line', { line });
    await waitFor(() => requests > 0, { what: 'the first export' });
    for (let line = 0; line < lines; line++) log.error('test.line', { line });
    expect(stderr.mock.calls.filter(([text]) => String(text).includes('test.line'))).toHaveLength(2 * lines);
    respond();
    await stop();
    const exported = received.join('').split('"test.line"').length - 1;
    expect(exported).toBeGreaterThanOrEqual(MAX_QUEUED_LOGS);
    expect(exported).toBeLessThanOrEqual(MAX_QUEUED_LOGS + batch);
  } finally {
    respond();
    collector.close();
  }
});
