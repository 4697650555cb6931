import { beforeEach, expect, test } from 'vitest';
import { ACTIVE_MS, REST_POLL_MS } from '@/lib/platform/limits';
import { createRest, type NextDue, type Rest } from '@/lib/platform/runtime/activity';

const tickMs = 1_000;

/** A node of a cluster, with a clock that moves only when a test advances it. */
class Node {
  time = 1_000_000;
  activeAt = 0;
  asked = 0;

  rest(nextDue?: NextDue): Rest {
    const counted = nextDue && this.counted(nextDue);
    const lastActiveAt = (): number => (this.time - this.activeAt < ACTIVE_MS ? this.time : this.activeAt);
    return createRest({ nextDue: counted, times: { now: () => this.time, date: () => this.time, lastActiveAt } });
  }

  private counted(nextDue: NextDue): NextDue {
    return () => {
      this.asked += 1;
      return nextDue();
    };
  }

  /** Counts the rounds of work that checks at every tick whether a round is due. */
  async rounds({ isRoundDue }: Rest, forMs: number): Promise<number> {
    let rounds = 0;
    for (let passed = 0; passed < forMs; passed += tickMs) {
      this.time += tickMs;
      if (await isRoundDue()) rounds += 1;
    }
    return rounds;
  }
}

let node: Node;
beforeEach(() => {
  node = new Node();
});

test('every round is due while a node is active, and one more round is due after its last action', async () => {
  const rest = node.rest();
  node.activeAt = node.time;
  expect(await node.rounds(rest, ACTIVE_MS - tickMs)).toBe(ACTIVE_MS / tickMs - 1);
  node.time += ACTIVE_MS;
  node.activeAt = node.time - ACTIVE_MS;
  expect(await node.rounds(rest, REST_POLL_MS / 2)).toBe(1);
});

test('an idle node runs no statements for its work except at the slow poll', async () => {
  const rest = node.rest(async () => null);
  await node.rounds(rest, tickMs);
  expect(await node.rounds(rest, REST_POLL_MS - tickMs)).toBe(0);
  expect(node.asked).toBe(1);
  expect(await node.rounds(rest, 10 * REST_POLL_MS)).toBe(10);
  expect(node.asked).toBeLessThanOrEqual(11);
});

test('an idle node’s due work is found at its due time, not at the slow poll', async () => {
  const dueAt = node.time + 20 * tickMs;
  const rest = node.rest(async () => new Date(dueAt));
  await node.rounds(rest, tickMs);
  expect(await node.rounds(rest, 18 * tickMs)).toBe(0);
  expect(await node.rounds(rest, tickMs)).toBe(1);
});

test('work that stays due gets a round at every tick', async () => {
  const rest = node.rest(async () => new Date(0));
  expect(await node.rounds(rest, 10 * tickMs)).toBe(10);
});

test('a notification makes one round due immediately', async () => {
  const rest = node.rest(async () => null);
  await node.rounds(rest, 2 * tickMs);
  let polls = 0;
  const wake = rest.waking(() => {
    polls += 1;
  });
  wake();
  expect(polls).toBe(1);
  expect(await rest.isRoundDue()).toBe(true);
  expect(await rest.isRoundDue()).toBe(false);
});

test('activity on any node ends the idle state', async () => {
  const rest = node.rest(async () => null);
  await node.rounds(rest, 2 * tickMs);
  node.activeAt = node.time;
  expect(await node.rounds(rest, 2 * tickMs)).toBe(2);
});

test('a failed query for due work is retried at the next tick', async () => {
  let isDown = true;
  const rest = node.rest(async () => {
    if (isDown) throw new Error('the database is down');
    return new Date(0);
  });
  await node.rounds(rest, tickMs);
  await expect(node.rounds(rest, tickMs)).rejects.toThrow('down');
  isDown = false;
  expect(await node.rounds(rest, tickMs)).toBe(1);
});
