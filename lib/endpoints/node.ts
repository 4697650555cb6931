import { reattachRuns, stopRuns } from '../gateway';
import { startBus, stopBus } from '../platform/bus';
import { errorFields, log } from '../platform/log';
import { addReadinessCheck } from '../platform/readiness';
import { shared } from '../platform/registry';
import { closePool } from '../platform/sql';
import { ensureSigningKeys, listJwks } from '../tokens';

const hourMs = 3_600_000;

interface Node {
  started: Promise<void>;
  rotation: NodeJS.Timeout;
}

/**
 * Makes this process a node: it hears notices, holds its lock, has signing keys and takes up runs whose node is gone. Once
 * per process, whether `server.ts` or Next's instrumentation comes first.
 */
export function startNode(): Promise<void> {
  return node().started;
}

/** Ends what {@link startNode} began; runs go on at the next start. */
export async function stopNode(): Promise<void> {
  clearInterval(node().rotation);
  await stopRuns();
  await stopBus();
  await closePool();
}

function node(): Node {
  return shared('node', () => ({ started: start(), rotation: setInterval(rotate, hourMs).unref() }));
}

async function start(): Promise<void> {
  addReadinessCheck({ name: 'keys', check: async () => (await listJwks(new Date())).keys.length > 0 });
  await startBus();
  await ensureSigningKeys(new Date());
  await reattachRuns();
}

function rotate(): void {
  ensureSigningKeys(new Date()).catch((error) => log.error('keys.rotation_failed', errorFields(error)));
}
