import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/processes.mjs';
import { stopProcess } from './peer.mjs';

/**
 * Starts a NATS server with JetStream, which stores its files in a temporary folder.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | null>} null if nats-server is not installed
 */
export async function startJetStream() {
  if (spawnSync('nats-server', ['--version']).status !== 0) return null;
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-jetstream-'));
  const flags = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder];
  const server = spawn('nats-server', flags, { stdio: 'ignore' });
  while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    url: `nats://127.0.0.1:${port}`,
    stop: async () => {
      await stopProcess(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
