import { beforeAll, describe, expect, test } from 'vitest';
import type { Delivery, OfferedRun } from '@/lib/hub/delivery';
import { type AgentCalls, hubPort } from '@/lib/hub/ports';
import { HubChannel } from '@/lib/hub/protocol/hub-channel';
import { dispatchSoon, reserveWorker, startDispatching } from '@/lib/hub/runs/dispatch';
import { addSession } from '@/lib/hub/runs/sessions';
import { WorkerSession } from '@/lib/hub/worker-session';
import { waitFor } from '../../support/wait-for';

/** The stored runs that wait, oldest first, and the deliveries of those that were claimed. */
const waiting: OfferedRun[] = [];
const claimed: Delivery[] = [];

beforeAll(() => {
  const runs = {
    claim: (agentId: string, limit: number) => {
      const found = waiting.filter((run) => run.agentId === agentId).slice(0, limit);
      for (const run of found) waiting.splice(waiting.indexOf(run), 1);
      return Promise.resolve(found);
    },
    findWaiting: () => Promise.resolve([]),
    release: () => Promise.resolve(),
    execute: (delivery: Delivery) => {
      claimed.push(delivery);
      return Promise.resolve();
    },
    takeOver: () => Promise.resolve(null),
    isOwn: () => Promise.resolve(true),
  };
  hubPort.connect({ runs, agents: {} as AgentCalls });
  startDispatching();
});

let agents = 0;

/** An agent with one worker, for which no run waits. */
async function connectAgent(capacity: number): Promise<string> {
  agents += 1;
  const agentId = `agt_${agents}`;
  const channel = new HubChannel({
    send: () => undefined,
    sendFlushed: async () => undefined,
    close: () => undefined,
  });
  addSession(new WorkerSession({ agentId, workerId: 'w', capacity, redelivers: false }, channel));
  dispatchSoon(agentId);
  const probe = await waitFor(() => reserve(agentId, 'probe'), { what: 'the first claim' });
  probe.end('finished');
  return agentId;
}

function runOf(agentId: string, taskId: string): OfferedRun {
  return {
    principal: 'usr_1',
    taskId: `${agentId} ${taskId}`,
    turnSeq: 2,
    agentId,
    contextId: 'c',
    epoch: 1,
    seen: 0,
  };
}

function reserve(agentId: string, taskId: string): Delivery | null {
  return reserveWorker(runOf(agentId, taskId));
}

describe('a run whose node has a worker', () => {
  test('starts immediately while the worker has credit', async () => {
    const agentId = await connectAgent(2);
    expect(
      [reserve(agentId, 'a'), reserve(agentId, 'b'), reserve(agentId, 'c')].map((found) => found !== null),
    ).toEqual([true, true, false]);
  });

  test('does not overtake runs that are waiting for a credit', async () => {
    const agentId = await connectAgent(1);
    const first = reserve(agentId, 'a');
    waiting.push(runOf(agentId, 'b'), runOf(agentId, 'c'));
    dispatchSoon(agentId);
    first?.end('finished');
    expect(reserve(agentId, 'late')).toBeNull();
    for (const next of ['b', 'c']) {
      const delivery = await waitFor(() => claimed.find(({ run }) => run.taskId === `${agentId} ${next}`), {
        what: next,
      });
      expect(reserve(agentId, 'late')).toBeNull();
      delivery.end('finished');
    }
    await waitFor(() => reserve(agentId, 'late'), { what: 'the end of the queue' });
  });
});
