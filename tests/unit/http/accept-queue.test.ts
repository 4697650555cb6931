import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { watchAcceptQueue } from '@/lib/http/admission/accept-queue';
import { workDelayMs } from '@/lib/platform/runtime/work-delay';

const connections = 50;

test.runIf(process.platform === 'linux')('pending connections increase the measured delay', async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  watchAcceptQueue(server, 1);
  const { port } = server.address() as AddressInfo;
  const program = `for (let count = 0; count < ${connections}; count++) require('node:net').connect(${port}, '127.0.0.1')`;
  const client = spawn(process.execPath, ['-e', program]);
  try {
    // The event loop of this process is blocked, so that it accepts no connection.
    const clock = new Int32Array(new SharedArrayBuffer(4));
    let delayMs = 0;
    for (let turn = 0; turn < 200 && delayMs === 0; turn++) {
      Atomics.wait(clock, 0, 0, 50);
      delayMs = workDelayMs();
    }
    expect(delayMs).toBeGreaterThan(50);
    let accepted = 0;
    server.on('connection', () => {
      accepted += 1;
    });
    while (accepted < connections) await once(server, 'connection');
    expect(workDelayMs()).toBe(0);
  } finally {
    client.kill();
    server.close();
  }
});
