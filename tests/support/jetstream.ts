import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port';
import { type NatsServer, startNats } from './nats-server';

/** Servers with JetStream, which keep their files while they are stopped or restarted. */
export interface JetStream {
  /** The value of EVENTS_URL. */
  urls: string;
  servers: NatsServer[];
  stop(): Promise<void>;
}

/** Starts one server, or a cluster of three, which may store up to `maxFileStore`. */
export async function startJetStream(
  count: 1 | 3 = 1,
  { folder, maxFileStore }: { folder: string; maxFileStore?: string } = {
    folder: mkdtempSync(path.join(tmpdir(), 'parley-jetstream-')),
  },
): Promise<JetStream> {
  const most = maxFileStore ? `, max_file_store: ${maxFileStore}` : '';
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  const configOf = (at: number): string => {
    const store = `jetstream { store_dir: "${path.join(folder, String(at))}"${most} }`;
    if (count === 1) return store;
    return `server_name: server${at}\n${store}\ncluster { name: test, listen: "127.0.0.1:${ports[at]}", routes: [${routes}] }`;
  };
  const servers = await Promise.all(ports.map((_, at) => startNats(configOf(at))));
  return {
    urls: servers.map(({ url }) => url).join(),
    servers,
    async stop() {
      for (const server of servers) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
