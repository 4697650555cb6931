import { openSync, readSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { performance } from 'node:perf_hooks';
import { addQueueDelay } from '../../platform/runtime/work-delay';
import { ACCEPT_QUEUE_READ_BYTES, MAX_SAMPLE_GAP_MS } from '../limits';

/** The state of a listening socket in `/proc/net/tcp`. */
const LISTENING = '0A';

/**
 * Reports the wait in the kernel's accept queue of a listening server as a delay of work. libuv accepts one connection
 * per turn of the event loop, so requests on new connections wait in this queue, where the node cannot measure them.
 * The queue counts as empty if the node accepted no connection in a turn since the last sample and no other process
 * accepts connections. Does nothing on systems other than Linux.
 */
export function watchAcceptQueue(server: Server, acceptors: number): void {
  const { port, family } = server.address() as AddressInfo;
  const file = open(family === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp');
  if (file === null) return;
  let accepted = 0;
  let turns = loopTurns();
  let sampledAt = performance.now();
  server.on('connection', () => {
    accepted += 1;
  });
  addQueueDelay(() => {
    const now = performance.now();
    const elapsedMs = now - sampledAt;
    const perMs = (Math.max(1, accepted) * acceptors) / elapsedMs;
    const turnsNow = loopTurns();
    // Reading the file can take 10 ms, because the kernel searches all of its connections after the listening sockets.
    const wasQueueEmpty = acceptors === 1 && accepted < turnsNow - turns;
    [accepted, turns, sampledAt] = [0, turnsNow, now];
    // An idle node is not sampled, so the first interval after an idle period is not meaningful.
    return wasQueueEmpty || elapsedMs > MAX_SAMPLE_GAP_MS ? 0 : readQueueLength(file, port) / perMs;
  });
}

function loopTurns(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

function open(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

const buffer = Buffer.alloc(ACCEPT_QUEUE_READ_BYTES);

/** Returns the number of connections that wait to be accepted on a port. The kernel lists listening sockets first. */
function readQueueLength(file: number, port: number): number {
  const length = readSync(file, buffer, 0, buffer.length, 0);
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  let queued = 0;
  for (const line of buffer.toString('latin1', 0, length).split('\n').slice(1)) {
    const [, local = '', , state = '', queues = ''] = line.trim().split(/\s+/);
    if (state !== LISTENING) break;
    if (local.endsWith(suffix)) queued += Number.parseInt(queues.split(':')[1] ?? '0', 16);
  }
  return queued;
}
