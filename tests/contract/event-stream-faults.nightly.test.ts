import { afterEach, describe, expect, test } from 'vitest';
import { message10, rpc, textsOf } from '../support/fixtures';
import { natsMissing } from '../support/nats-server';
import { waitFor } from '../support/wait-for';
import {
  carrierOf,
  deploy,
  expectWhole,
  pieces,
  read,
  send,
  startStreamedTurn,
  stopDeployments,
  streamKeyOf,
  untilCarriedBy,
} from './event-stream-fixture';

afterEach(stopDeployments, 60_000);

describe.skipIf(natsMissing)('events of a running task, without loss and without repetition', () => {
  test('if JetStream is killed and restarted in the middle of a turn', async () => {
    const deployment = await deploy();
    const { jetstream, one, two } = deployment;
    const turn = await startStreamedTurn(deployment);
    await jetstream.servers[0]?.kill();
    await untilCarriedBy('postgresql', one, two);
    expect(await streamKeyOf(turn.id)).toBeNull();
    await send(turn, 30, 60);
    await jetstream.servers[0]?.restart();
    await untilCarriedBy('jetstream', one, two);
    await send(turn, 60, 90);
    await expectWhole(deployment, turn);
    const next = await startStreamedTurn(deployment);
    await send(next, 30, 90);
    await expectWhole(deployment, next);
  }, 90_000);

  test('if JetStream stops responding', async () => {
    const deployment = await deploy();
    const { jetstream, one } = deployment;
    const turn = await startStreamedTurn(deployment);
    jetstream.servers[0]?.signal('SIGSTOP');
    try {
      await send(turn, 30, 60);
      await untilCarriedBy('postgresql', one);
    } finally {
      jetstream.servers[0]?.signal('SIGCONT');
    }
    await send(turn, 60, 90);
    await expectWhole(deployment, turn);
  }, 90_000);

  test('if the stream is full', async () => {
    const deployment = await deploy({ env: { EVENTS_MAX_BYTES: '1048576' } });
    const { one, runs, agent } = deployment;
    const turn = await startStreamedTurn(deployment);
    const large = 'x'.repeat(60_000);
    // Each of these tasks leaves its events in the stream.
    for (let round = 0; !one.output().includes('events.stream_refused'); round += 1) {
      const had = runs.length;
      const filling = read(agent.caller, 'SendStreamingMessage', message10('fill'));
      const run = await waitFor(() => runs[had], { what: 'the run' });
      for (let at = 0; at < 4; at += 1) {
        run.piece(large);
        await waitFor(() => textsOf(filling.seen).length >= large.length * (at + 1), { what: 'the large piece' });
      }
      run.status('COMPLETED');
      expect(textsOf(await filling.ended)).toHaveLength(large.length * 4);
      expect(round).toBeLessThan(30);
    }
    await send(turn, 30, 90);
    await expectWhole(deployment, turn);
  }, 90_000);

  test('if a node is killed while JetStream is away: its run waits until JetStream is back', async () => {
    const deployment = await deploy();
    const { jetstream, one, two, agent, elsewhere } = deployment;
    const { id, run, readers } = await startStreamedTurn(deployment);
    const [own, other] = readers;
    own?.ended.catch(() => undefined);
    // Neither can write what only the stream has.
    process.kill(one.pid, 'SIGSTOP');
    await jetstream.servers[0]?.kill();
    await one.kill('SIGKILL');
    await waitFor(async () => (await carrierOf(two)) === 'postgresql', { what: 'the loss', timeout: 20_000 });
    const { body } = await rpc(elsewhere, 'GetTask', { id });
    expect(body.error).toMatchObject({ message: expect.stringContaining('not available at the moment') });
    expect(textsOf(other?.seen ?? [])).toBe(pieces.slice(0, 30).join(''));
    await jetstream.servers[0]?.restart();
    await untilCarriedBy('jetstream', two);
    const again = await waitFor(
      async () => {
        const worker = await agent.worker({
          url: two.url,
          workerId: run.worker.workerId,
          runs: [{ runId: run.runId, epoch: run.offer.epoch, sent: run.sent }],
        });
        const [resumed] = (worker.hello?.result?.runs ?? []) as { seen: number }[];
        if (resumed?.seen === 31) return worker;
        await worker.close();
        return null;
      },
      { what: 'the run to continue', timeout: 20_000 },
    );
    again.adopt(run);
    await send({ id, run, readers: other ? [other] : [] }, 30, 90);
    await expectWhole(
      { ...deployment, agent: { ...agent, caller: elsewhere } },
      { id, run, readers: other ? [other] : [] },
    );
  }, 120_000);

  test('if one of three servers is killed', async () => {
    const deployment = await deploy({ servers: 3 });
    const { jetstream, one, two } = deployment;
    for (const server of jetstream.servers) {
      const turn = await startStreamedTurn(deployment);
      await server.kill();
      await send(turn, 30, 60);
      await untilCarriedBy('jetstream', one, two);
      await send(turn, 60, 90);
      await expectWhole(deployment, turn);
      await server.restart();
      await untilCarriedBy('jetstream', one, two);
    }
  }, 150_000);
});
