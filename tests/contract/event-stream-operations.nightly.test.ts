import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database';
import { message10, textsOf } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { startJetStream } from '../support/jetstream';
import { natsMissing, startNats } from '../support/nats-server';
import { startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import {
  deploy,
  expectWhole,
  read,
  send,
  startStreamedTurn,
  stopDeployments,
  streamKeyOf,
  untilCarriedBy,
} from './event-stream-fixture';

const DISK_BYTES = 16 * 1_048_576;

/** Mounts a file system of {@link DISK_BYTES}. Returns the reason if that is not permitted. */
function mountDisk(folder: string): string | null {
  const { status, stderr, error } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  return status === 0 ? null : `a file system cannot be mounted here: ${error?.message ?? stderr.trim()}`;
}

/** Writes a file until the disk has no free block. */
function fill(folder: string): string {
  const file = path.join(folder, 'filler');
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
  expect(statfsSync(folder).bavail).toBe(0);
  return file;
}

/** Runs `parley doctor` with these variables. Returns what it found about the event stream. */
function examineEvents(variables: Record<string, string>): Promise<{ status: string; found: string; advice?: string }> {
  const child = spawn(process.execPath, ['scripts/cli/main.mjs', 'doctor', '--json'], {
    env: { ...process.env, NODE_ENV: 'production', EMBEDDINGS: 'off', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once('close', () => {
      const findings = JSON.parse(output) as { check: string; status: string; found: string }[];
      const found = findings.find(({ check }) => check === 'events');
      if (found) resolve(found);
      else reject(new Error(`no check of events in ${output}`));
    });
  });
}

const ok = (found: RegExp): object => ({ status: 'ok', found: expect.stringMatching(found) });

let folder: string;
let refused: string | null;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-disk-'));
  refused = mountDisk(folder);
});
afterEach(async () => {
  await stopDeployments();
  if (refused === null) expect(spawnSync('umount', [folder]).status).toBe(0);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

describe.skipIf(natsMissing)('an event stream on a disk', () => {
  test('that becomes full in the middle of a turn loses and repeats no event', async ({ skip }) => {
    if (refused) skip(refused);
    const port = await freePort();
    const storage = { folder: path.join(folder, 'store'), maxFileStore: '2GB' };
    const deployment = await deploy({ storage, envOfFirst: { METRICS_PORT: String(port) } });
    const { jetstream, one, two, runs, agent } = deployment;
    const metric = async (): Promise<string | undefined> =>
      /^events_stream\S* (\d)$/m.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())?.[1];
    expect(await metric()).toBe('1');
    const turn = await startStreamedTurn(deployment);
    const filler = fill(folder);
    const had = runs.length;
    const filling = read(agent.caller, 'SendStreamingMessage', message10('fill'));
    const run = await waitFor(() => runs[had], { what: 'the run' });
    const large = 'x'.repeat(60_000);
    for (let at = 1; at <= 8; at += 1) {
      run.piece(large);
      await waitFor(() => textsOf(filling.seen).length >= large.length * at, { what: 'the large piece' });
    }
    await send(turn, 30, 60);
    await untilCarriedBy('postgresql', one, two);
    expect(await streamKeyOf(turn.id)).toBeNull();
    expect(await metric()).toBe('0');
    expect(one.output()).toContain('events.stream_unavailable');
    run.status('COMPLETED');
    expect(textsOf(await filling.ended)).toBe(large.repeat(8));
    await send(turn, 60, 90);
    await expectWhole(deployment, turn);

    truncateSync(filler);
    await jetstream.servers[0]?.restart();
    await untilCarriedBy('jetstream', one, two);
    const next = await startStreamedTurn(deployment);
    await send(next, 30, 90);
    await expectWhole(deployment, next);
  }, 90_000);
});

describe.skipIf(natsMissing)('parley doctor', () => {
  const warning = (found: RegExp, advice: RegExp): object => ({
    status: 'warn',
    found: expect.stringMatching(found),
    advice: expect.stringMatching(advice),
  });

  test('names missing servers, a server without JetStream, missing space and replicas, and says what is stored', async () => {
    const { url: databaseUrl } = await createTestDatabase();
    const plain = await startNats();
    const account = 'jetstream { max_file: 1MB, max_mem: 0 }, users: [{ user: user, password: hush }]';
    const limited = await startNats(
      `jetstream { store_dir: "${path.join(folder, 'limited')}" }\naccounts { parley { ${account} } }`,
    );
    const jetstream = await startJetStream();
    const examine = (variables: Record<string, string> = {}): Promise<object> =>
      examineEvents({ DATABASE_URL: databaseUrl, ...variables });
    try {
      expect(await examine()).toEqual({ check: 'events', ...ok(/^EVENTS_URL is not set/) });
      const gone = `${jetstream.urls},nats://user:hush@127.0.0.1:1`;
      expect(await examine({ EVENTS_URL: gone })).toMatchObject(
        warning(/^EVENTS_URL: 127\.0\.0\.1:1 does not respond/, /start NATS there/),
      );
      expect(await examine({ EVENTS_URL: plain.url })).toMatchObject(
        warning(/JetStream is not enabled/, /jetstream \{\}/),
      );
      expect(await examine({ EVENTS_URL: limited.url.replace('//', '//user:hush@') })).toMatchObject(
        warning(/1 MB of storage left/, /EVENTS_MAX_BYTES/),
      );
      const three = { EVENTS_URL: jetstream.urls, EVENTS_REPLICAS: '3' };
      expect(await examine(three)).toMatchObject(warning(/not in a cluster/, /EVENTS_REPLICAS=1/));
      const single = { EVENTS_URL: jetstream.urls };
      expect(await examine(single)).toEqual({ check: 'events', ...ok(/no stream yet/) });
      const node = await startParley({ databaseUrl, env: single });
      try {
        await untilCarriedBy('jetstream', node);
        expect(await examine(single)).toEqual({ check: 'events', ...ok(/on 1 server, 0 MB of 1024 MB$/) });
      } finally {
        await node.stop();
      }
      const client = await connect({ servers: jetstream.urls });
      const { streams } = await jetstreamManager(client);
      const [stream] = await streams.list().next();
      if (!stream) throw new Error('no stream');
      const { config } = stream;
      await streams.delete(config.name);
      await streams.add({ ...config, discard: 'old' });
      await client.close();
      expect(await examine(single)).toMatchObject(warning(/discard is old, expected new/, /while no node runs/));
    } finally {
      for (const server of [plain, limited, jetstream]) await server.stop();
    }
  }, 180_000);

  test('names the server of a cluster that has no current copy', async () => {
    const { jetstream, one } = await deploy({ servers: 3 });
    const variables = { DATABASE_URL: one.databaseUrl, EVENTS_URL: jetstream.urls, EVENTS_REPLICAS: '3' };
    expect(await examineEvents(variables)).toEqual({ check: 'events', ...ok(/on 3 servers/) });
    await jetstream.servers[2]?.kill();
    const left = { ...variables, EVENTS_URL: jetstream.urls.split(',').slice(0, 2).join() };
    await waitFor(
      async () => {
        const { status, found } = await examineEvents(left);
        return status === 'warn' && found.endsWith('without a current copy: server2');
      },
      { what: 'the missing copy', timeout: 60_000 },
    );
  }, 180_000);
});
