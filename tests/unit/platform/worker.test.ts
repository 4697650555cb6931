import { expect, test } from 'vitest';
import { type Clock, createWorker, type Worker, type WorkerOptions } from '@/lib/platform/runtime/worker';

const pollMs = 1_000;
const leaseMs = 60_000;

/** A clock that moves only when a test advances it. */
class ManualClock implements Clock {
  private time = 0;
  private timers: { at: number; callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  schedule(ms: number, callback: () => void): () => void {
    const timer = { at: this.time + ms, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  advance(ms: number): void {
    this.time += ms;
    const due = this.timers.filter(({ at }) => at <= this.time);
    this.timers = this.timers.filter(({ at }) => at > this.time);
    for (const { callback } of due) callback();
  }
}

interface Row {
  id: number;
  leasedUntil: number;
  done: boolean;
}

/** A table of jobs that several workers share, with simulated outages. */
class JobTable {
  readonly clock = new ManualClock();
  readonly rows: Row[] = [];
  readonly started: number[] = [];
  readonly errors: unknown[] = [];
  claims = 0;
  failure: Error | null = null;
  private notify: (() => void)[] = [];
  private readonly finishers = new Map<number, () => void>();

  add(...ids: number[]): void {
    for (const id of ids) this.rows.push({ id, leasedUntil: 0, done: false });
    for (const wake of this.notify) wake();
  }

  get listeners(): number {
    return this.notify.length;
  }

  get running(): number[] {
    return [...this.finishers.keys()];
  }

  finish(id: number): void {
    this.finishers.get(id)?.();
  }

  worker(options: Partial<WorkerOptions<Row>> = {}): Worker {
    return createWorker<Row>({
      concurrency: 2,
      pollMs,
      claim: (limit) => this.claim(limit),
      run: (job) => this.run(job),
      subscribe: (wake) => {
        this.notify.push(wake);
        return [
          () => {
            this.notify = this.notify.filter((other) => other !== wake);
          },
        ];
      },
      onError: (error) => this.errors.push(error),
      clock: this.clock,
      ...options,
    });
  }

  async claim(limit: number): Promise<Row[]> {
    this.claims += 1;
    await nextTurn();
    if (this.failure) throw this.failure;
    const now = this.clock.now();
    const due = this.rows.filter(({ done, leasedUntil }) => !done && leasedUntil <= now).slice(0, limit);
    for (const row of due) row.leasedUntil = now + leaseMs;
    return due;
  }

  async run(row: Row): Promise<void> {
    this.started.push(row.id);
    await new Promise<void>((resolve) => this.finishers.set(row.id, resolve));
    this.finishers.delete(row.id);
    row.done = true;
  }
}

const nextTurn = (): Promise<void> => new Promise(setImmediate);

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo(); turn++) {
    if (turn > 1_000) throw new Error('the condition never held');
    await nextTurn();
  }
}

/** Long enough for everything that does not wait for the clock or a job. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

test('jobs that are due at startup run concurrently up to the maximum', async () => {
  const table = new JobTable();
  table.add(1, 2, 3, 4, 5);
  table.worker().start();
  for (const id of [1, 2, 3, 4, 5]) {
    await until(() => table.running.includes(id));
    await settled();
    expect(table.running.length).toBeLessThanOrEqual(2);
    table.finish(id);
  }
  await until(() => table.rows.every(({ done }) => done));
  expect(table.started).toEqual([1, 2, 3, 4, 5]);
});

test('a free slot is used while other jobs are in progress', async () => {
  const table = new JobTable();
  table.add(1, 2, 3);
  table.worker().start();
  await until(() => table.running.length === 2);
  table.finish(2);
  await until(() => table.running.includes(3));
  expect(table.running).toContain(1);
});

test('workers that share a table run each job once, and again if its lease expires', async () => {
  const table = new JobTable();
  table.add(1, 2, 3, 4);
  const dead = table.worker({ run: (row) => new Promise<void>(() => table.started.push(row.id)) });
  dead.start();
  await until(() => table.started.length === 2);
  table.worker().start();
  await until(() => table.running.length === 2);
  for (const id of [3, 4]) table.finish(id);
  await settled();
  expect(table.started).toEqual([1, 2, 3, 4]);
  const stopped = dead.stop(0);
  table.clock.advance(leaseMs);
  await stopped;
  await until(() => table.running.length === 2);
  expect(table.started).toEqual([1, 2, 3, 4, 1, 2]);
});

test('a notification starts a poll immediately, even if it arrives during a poll', async () => {
  const table = new JobTable();
  table.worker().start();
  await settled();
  expect(table.claims).toBe(1);
  table.add(1);
  expect(table.claims).toBe(2);
  table.add(2);
  await until(() => table.running.length === 2);
  expect(table.clock.now()).toBe(0);
});

test('many notifications during a poll cause one more poll', async () => {
  const table = new JobTable();
  const worker = table.worker();
  worker.start();
  for (let at = 0; at < 50; at++) worker.wake();
  await settled();
  expect(table.claims).toBe(2);
});

test('polls follow at the interval if no notification arrives', async () => {
  const table = new JobTable();
  table.worker().start();
  await settled();
  for (let polls = 2; polls < 5; polls++) {
    table.clock.advance(pollMs - 1);
    await settled();
    expect(table.claims).toBe(polls - 1);
    table.clock.advance(1);
    await settled();
    expect(table.claims).toBe(polls);
  }
});

test('a job that is due before the next regular poll starts a poll at that time', async () => {
  const table = new JobTable();
  const worker = table.worker();
  worker.start();
  await settled();
  worker.wake(new Date(400));
  worker.wake(new Date(pollMs * 10));
  table.clock.advance(399);
  await settled();
  expect(table.claims).toBe(1);
  table.clock.advance(1);
  await settled();
  expect(table.claims).toBe(2);
  worker.wake(new Date(0));
  await settled();
  expect(table.claims).toBe(3);
});

test('a failed claim is reported once and retried at the next regular poll', async () => {
  const table = new JobTable();
  table.failure = new Error('the database is gone');
  table.worker().start();
  await settled();
  expect([table.claims, table.errors]).toEqual([1, [table.failure]]);
  table.clock.advance(pollMs);
  await settled();
  expect([table.claims, table.errors.length]).toEqual([2, 2]);
  table.failure = null;
  table.rows.push({ id: 1, leasedUntil: 0, done: false });
  table.clock.advance(pollMs);
  await until(() => table.running.length === 1);
});

test('a notification that the database is available ends the wait after a failed claim', async () => {
  const table = new JobTable();
  table.failure = new Error('the database is gone');
  const worker = table.worker();
  worker.start();
  await settled();
  table.failure = null;
  table.rows.push({ id: 1, leasedUntil: 0, done: false });
  worker.wake();
  await until(() => table.running.length === 1);
});

test('a job that fails is reported, releases its slot and does not stop the other jobs', async () => {
  const table = new JobTable();
  table.add(1, 2, 3);
  const run = (row: Row): Promise<void> =>
    row.id === 1 ? Promise.reject(new Error('no answer was stored')) : table.run(row);
  table.worker({ run }).start();
  await until(() => table.running.length === 2);
  expect(table.errors).toEqual([new Error('no answer was stored')]);
  expect(table.running).toEqual([2, 3]);
});

test('the claim function is passed the jobs in progress', async () => {
  const table = new JobTable();
  table.add(1);
  const active: number[][] = [];
  const worker = table.worker({
    claim: (limit, jobs) => {
      active.push([...jobs].map(({ id }) => id));
      return table.claim(limit);
    },
  });
  worker.start();
  await until(() => table.running.length === 1);
  worker.wake();
  await settled();
  expect(active).toEqual([[], [1]]);
});

test('stopping a worker aborts the jobs in progress, waits for them, and claims no further jobs', async () => {
  const table = new JobTable();
  table.add(1, 2, 3);
  const signals: AbortSignal[] = [];
  const worker = table.worker({
    run: (row, signal) => {
      signals.push(signal);
      return table.run(row);
    },
  });
  worker.start();
  await until(() => table.running.length === 2);
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(table.listeners).toBe(0);
  table.finish(1);
  await settled();
  expect(isStopped).toBe(false);
  table.finish(2);
  await stopped;
  worker.wake();
  worker.start();
  table.clock.advance(pollMs * 2);
  await settled();
  expect(table.started).toEqual([1, 2]);
});

test('stopping a worker waits for a poll in progress and the jobs that it claims', async () => {
  const table = new JobTable();
  table.add(1);
  const worker = table.worker();
  worker.start();
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  await until(() => table.running.length === 1);
  await settled();
  expect(isStopped).toBe(false);
  table.finish(1);
  await stopped;
});

test('stopping a worker waits no longer than the given time', async () => {
  const table = new JobTable();
  table.add(1);
  const worker = table.worker();
  worker.start();
  await until(() => table.running.length === 1);
  const stopped = worker.stop(50);
  table.clock.advance(50);
  await stopped;
  expect(table.running).toEqual([1]);
});

test('a worker that never started, or has already stopped, stops immediately', async () => {
  const table = new JobTable();
  const worker = table.worker();
  await Promise.all([worker.stop(), worker.stop(50)]);
  await worker.stop();
  expect(table.claims).toBe(0);
});

test('a worker does not report errors while it stops', async () => {
  const table = new JobTable();
  table.failure = new Error('the pool is closed');
  const worker = table.worker();
  worker.start();
  await worker.stop();
  expect([table.claims, table.errors]).toEqual([1, []]);
});
