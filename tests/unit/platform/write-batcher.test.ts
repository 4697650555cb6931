import { expect, test, vi } from 'vitest';
import { batchWrites, WriteBatcher } from '@/lib/platform/batches';
import type { Statement, TextRow } from '@/lib/platform/db/pipelined-statements';

/** A database that records what it received, in commit order, and returns each value doubled. */
function database(refuse: (values: (string | null)[]) => Error | null = () => null): {
  commits: string[][];
  execute: (statements: Statement[]) => Promise<TextRow[][]>;
} {
  const commits: string[][] = [];
  return {
    commits,
    async execute(statements) {
      await new Promise(setImmediate);
      const refusal = refuse(statements.flatMap(({ values }) => values));
      if (refusal) throw refusal;
      commits.push(statements.map(({ name, values }) => `${name} ${values}`));
      return statements.map(({ values }) => values.map((value) => [String(2 * Number(value))]));
    },
  };
}

function writersOf(
  execute: (statements: Statement[]) => Promise<TextRow[][]>,
): Record<'a' | 'b', (item: number) => Promise<number>> {
  const batcher = new WriteBatcher<Statement, TextRow[]>(execute);
  const writer = (name: string): ((item: number) => Promise<number>) =>
    batcher.register<number, number>({
      order: name === 'a' ? 1 : 2,
      maxBatch: 2,
      statementsOf: (batch) => [{ name, text: '', values: batch.map(String) }],
      resultsOf: (_batch, rows) => rows.map(([value]) => Number(value)),
    });
  return { a: writer('a'), b: writer('b') };
}

test('concurrent writes of every kind share a commit, and later writes share the next one', async () => {
  const { commits, execute } = database();
  const { a, b } = writersOf(execute);
  const first = [a(1), b(2), a(3)];
  await new Promise(setImmediate);
  const later = [b(4), a(5), a(6), a(7)];
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(commits).toEqual([['a 1,3', 'b 2'], ['a 5,6', 'b 4'], ['a 7']]);
});

test('a large batch starts while a commit is in progress, and a small batch waits until it ends', async () => {
  const sent: { values: (string | null)[]; end: () => void }[] = [];
  const batcher = new WriteBatcher<Statement, TextRow[]>(
    (statements) =>
      new Promise((resolve) => {
        const values = statements.flatMap((statement) => statement.values);
        sent.push({ values, end: () => resolve(statements.map(() => values.map((value) => [value]))) });
      }),
  );
  const write = batcher.register<number, number>({
    order: 1,
    maxBatch: 100,
    statementsOf: (batch) => [{ name: 'a', text: '', values: batch.map(String) }],
    resultsOf: (_batch, rows) => rows.map(([value]) => Number(value)),
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  const some = (from: number, count: number): Promise<number>[] =>
    Array.from({ length: count }, (_, at) => write(from + at));
  const executed = [...some(0, 1)];
  await turn();
  executed.push(...some(1, 15));
  await turn();
  expect(sent).toHaveLength(1);
  executed.push(...some(16, 1));
  await turn();
  expect(sent.map(({ values }) => values.length)).toEqual([1, 16]);
  // Two is the maximum.
  executed.push(...some(17, 20));
  await turn();
  expect(sent).toHaveLength(2);
  sent[0]?.end();
  await turn();
  expect(sent[2]?.values).toHaveLength(20);
  executed.push(...some(37, 2));
  sent[1]?.end();
  await turn();
  expect(sent).toHaveLength(3);
  sent[2]?.end();
  await turn();
  sent[3]?.end();
  expect(await Promise.all(executed)).toEqual(Array.from({ length: 39 }, (_, at) => at));
});

test('a statement rejected by the database does not fail the rest of its batch', async () => {
  const { commits, execute } = database((values) =>
    values.includes('2') ? Object.assign(new Error('no room for 2'), { severity: 'ERROR' }) : null,
  );
  const { a, b } = writersOf(execute);
  const results = await Promise.allSettled([a(1), a(2), b(3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(commits).toEqual([['a 1'], ['b 3']]);
});

test('a database that fails during individual retries receives no further retries', async () => {
  let asked = 0;
  const { execute } = database(() => {
    asked += 1;
    return asked === 1
      ? Object.assign(new Error('one is refused'), { severity: 'ERROR' })
      : Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  });
  const { a, b } = writersOf(execute);
  const results = await Promise.allSettled([a(1), a(2), b(3)]);
  expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual([
    'gone',
    'gone',
    'gone',
  ]);
  expect(asked).toBe(2);
});

test('an unavailable database is called only once for a batch', async () => {
  let asked = 0;
  const { execute } = database(() => {
    asked += 1;
    return Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  });
  const { a, b } = writersOf(execute);
  const results = await Promise.allSettled([a(1), a(2), b(3)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toBe(1);
});

test('an unreadable result rejects the affected writes, and later writes continue', async () => {
  const { execute } = database();
  const batcher = new WriteBatcher<Statement, TextRow[]>(execute);
  const write = batcher.register<number, number>({
    order: 1,
    maxBatch: 1,
    statementsOf: (batch) => [{ name: 'a', text: '', values: batch.map(String) }],
    resultsOf(batch) {
      if (batch[0] === 1) throw new Error('unreadable');
      return batch;
    },
  });
  const results = await Promise.allSettled([write(1), write(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await write(3)).toBe(3);
});

test('a write’s side effects are in its commit, and its result contains its first statement’s rows', async () => {
  const { commits, execute } = database();
  const batcher = new WriteBatcher<Statement, TextRow[]>(execute);
  const writer = (order: number, more: Statement[]): ((item: number) => Promise<number>) =>
    batcher.register<number, number>({
      order,
      maxBatch: 2,
      statementsOf: (batch) => [{ name: `write ${order}`, text: '', values: batch.map(String) }, ...more],
      resultsOf: (_batch, rows) => rows.map(([value]) => Number(value)),
    });
  const loud = writer(1, [{ name: 'tell', text: '', values: ['7'] }]);
  const quiet = writer(2, []);
  expect(await Promise.all([loud(1), loud(2), quiet(3), quiet(4)])).toEqual([2, 4, 6, 8]);
  expect(commits).toEqual([['write 1 1,2', 'tell 7', 'write 2 3,4']]);
});

test('the statement builder receives a flag if its commit contains no other kind of write', async () => {
  const { execute } = database();
  const batcher = new WriteBatcher<Statement, TextRow[]>(execute);
  const executed: string[] = [];
  const writer = (order: number): ((item: number) => Promise<number>) =>
    batcher.register<number, number>({
      order,
      maxBatch: 2,
      statementsOf: (batch, isSole) => {
        executed.push(`${batch} ${isSole ? 'alone' : 'in company'}`);
        return [{ name: 'write', text: '', values: batch.map(String) }];
      },
      resultsOf: (batch) => batch,
    });
  const [a, b] = [writer(1), writer(2)];
  await Promise.all([a(1), b(2)]);
  await Promise.all([a(3), a(4)]);
  await b(5);
  expect(executed).toEqual(['1 in company', '2 in company', '3,4 in company', '5 alone']);
});

test('writes of one kind are batched while the previous batch is written, one batch at a time', async () => {
  const batches: number[][] = [];
  const inProgress: number[] = [0];
  const written: Promise<number>[] = [];
  const write = batchWrites<number, number>(async (items) => {
    batches.push(items);
    inProgress.push((inProgress.at(-1) ?? 0) + 1);
    if (batches.length === 1) written.push(...Array.from({ length: 20 }, (_, at) => write(at + 3)));
    await new Promise(setImmediate);
    inProgress.push((inProgress.at(-1) ?? 0) - 1);
    return items.map((item) => item * 2);
  }, 100);
  written.push(...[1, 2].map(write));
  expect(await written[0]).toBe(2);
  expect(await Promise.all(written)).toEqual([2, 4, ...Array.from({ length: 20 }, (_, at) => (at + 3) * 2)]);
  expect(batches.map((batch) => batch.length)).toEqual([2, 20]);
  expect(inProgress).toEqual([0, 1, 0, 1, 0]);
});

test('a write that the database rejects fails alone, and other errors are not retried', async () => {
  let calls = 0;
  const write = batchWrites<number, number>(async (items) => {
    calls += 1;
    if (items.includes(2)) throw Object.assign(new Error('no room for 2'), { severity: 'ERROR' });
    if (items.includes(4)) throw new Error('the connection broke: they may have been written');
    return items;
  }, 10);
  const rejected = await Promise.allSettled([1, 2, 3].map(write));
  expect(rejected.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(calls).toBe(4);
  const lost = await Promise.allSettled([4, 5, 6].map(write));
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls).toBe(5);
});

test('writes left over by a commit are counted as delay, but writes for the next commit are not', async () => {
  const ends: (() => void)[] = [];
  const batcher = new WriteBatcher<Statement, TextRow[]>(
    (statements) => new Promise((resolve) => ends.push(() => resolve(statements.map(() => [])))),
    1,
  );
  const write = batcher.register<number, undefined>({
    order: 1,
    maxBatch: 2,
    statementsOf: (batch) => [{ name: 'a', text: '', values: batch.map(String) }],
    resultsOf: (batch) => batch.map(() => undefined),
  });
  const nextMillisecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
  const untilCommit = (number: number): Promise<void> => vi.waitFor(() => expect(ends).toHaveLength(number));
  const first = write(0);
  await untilCommit(1);
  const written = [first, ...[1, 2, 3].map(write)];
  await nextMillisecond();
  expect(batcher.delayMs()).toBe(0);
  ends[0]?.();
  await untilCommit(2);
  await nextMillisecond();
  expect(batcher.delayMs()).toBeGreaterThan(0);
  ends[1]?.();
  await untilCommit(3);
  expect(batcher.delayMs()).toBe(0);
  ends[2]?.();
  await Promise.all(written);
});
