import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginThread, reduceThread, type ThreadState } from '@/components/chat/thread-state';
import { mergeChunks } from '@/lib/chat/merge-chunks';
import type { ThreadEvent } from '@/lib/chat/schema';
import { artifact, chunk, numbered, said, status, task, taskId } from './stories';

const createdAt = '2026-11-20T12:00:00.000Z';

/** The state after events of the task, or of another one. */
function update(
  state: ThreadState,
  events: ThreadEvent[],
  place: { taskId: string; createdAt: string } = { taskId, createdAt },
): ThreadState {
  return reduceThread(state, { type: 'updated', updates: [{ ...place, events }] });
}

function textOf(state: ThreadState, artifactId = 'answer'): string {
  const parts = state.tasks[0]?.artifacts.get(artifactId)?.parts ?? [];
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** A story of one artifact in the given pieces. */
function storyOf(pieces: string[]): ThreadEvent[] {
  const chunks = pieces.map((piece, index) => chunk(piece, { append: index > 0, last: index === pieces.length - 1 }));
  return numbered([said('go'), status('submitted'), ...chunks, status('completed')]);
}

describe('the text of an artifact', () => {
  const anyText = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { minLength: 1, maxLength: 30 });

  test('ends byte-identical however the server batches and joins its chunks', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    fc.assert(
      fc.property(anyText, sizes, fc.boolean(), (pieces, batches, joined) => {
        const events = storyOf(pieces);
        let state = beginThread([]);
        for (let at = 0, turn = 0; at < events.length; turn += 1) {
          const size = batches[turn % batches.length] ?? 1;
          const batch = events.slice(at, at + size);
          state = update(state, joined ? mergeChunks(batch) : batch);
          at += size;
        }
        expect(state.broken).toBe(false);
        expect(textOf(state)).toBe(pieces.join(''));
      }),
    );
  });

  test('keeps characters whole whose UTF-16 halves came in different chunks', () => {
    const [high, low] = ['\ud83d', '\ude80'];
    const state = update(beginThread([]), mergeChunks(storyOf([`a${high}`, `${low}b`])));
    expect(textOf(state)).toBe('a🚀b');
  });

  test('is the same when batches overlap or come twice', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(40), { maxLength: 20 }), (pieces, starts) => {
        const events = storyOf(pieces);
        let state = beginThread([]);
        for (const start of [...starts, 0]) {
          // A batch may repeat what is known, but never begins behind it.
          const known = state.tasks[0]?.seq ?? 0;
          state = update(state, events.slice(Math.min(start, known)));
        }
        expect(state.broken).toBe(false);
        expect(textOf(state)).toBe(pieces.join(''));
      }),
    );
  });
});

describe('what the server tells', () => {
  test('is ignored when it was seen before, and leaves the state the same object', () => {
    const state = beginThread([task([said('go'), status('submitted'), chunk('a')])]);
    expect(update(state, numbered([said('go'), status('submitted'), chunk('a')]))).toBe(state);
  });

  test('marks the thread as broken when an event is missing, and takes nothing behind the gap', () => {
    const before = beginThread([task([said('go'), status('submitted')])]);
    const after = update(before, numbered([chunk('late', { append: true })], 4));
    expect(after.broken).toBe(true);
    expect(after.tasks).toBe(before.tasks);
  });

  test('marks the thread as broken when a joined step overlaps what is known', () => {
    const before = beginThread([task([said('go'), status('submitted'), chunk('a')])]);
    const after = update(before, [{ from: 3, seq: 5, event: chunk('abc') }]);
    expect(after.broken).toBe(true);
  });

  test('replaces everything when the thread is loaded anew, and mends a broken one', () => {
    const broken = update(beginThread([task([said('go')])]), numbered([chunk('late')], 9));
    const mended = reduceThread(broken, {
      type: 'loaded',
      tasks: [task([said('go'), status('submitted'), chunk('all')])],
    });
    expect(mended.broken).toBe(false);
    expect(textOf(mended)).toBe('all');
  });

  test('puts tasks into the order in which they were begun, also when an earlier one is heard of later', () => {
    const first = beginThread([]);
    const later = update(first, numbered([said('second')]), { taskId, createdAt: '2026-11-20T12:05:00.000Z' });
    const both = update(later, numbered([said('first')]), {
      taskId: 'b3bb189e-8bf9-4888-9912-ace4e6543002',
      createdAt,
    });
    expect(both.tasks.map((known) => known.createdAt)).toEqual([createdAt, '2026-11-20T12:05:00.000Z']);
  });

  test('leaves the other tasks the same objects', () => {
    const other = 'b3bb189e-8bf9-4888-9912-ace4e6543002';
    const before = beginThread([task([said('a')]), task([said('b')], other, '2026-11-20T12:05:00.000Z')]);
    const after = update(before, numbered([status('submitted')], 2), {
      taskId: other,
      createdAt: '2026-11-20T12:05:00.000Z',
    });
    expect(after.tasks[0]).toBe(before.tasks[0]);
    expect(after.tasks[1]).not.toBe(before.tasks[1]);
  });
});

describe('an artifact', () => {
  test('is replaced where it stands while the agent has the turn', () => {
    const state = beginThread([
      task([said('go'), status('submitted'), chunk('draft'), chunk('final', { last: true })]),
    ]);
    expect(textOf(state)).toBe('final');
    expect(state.tasks[0]?.entries.filter(({ kind }) => kind === 'artifact')).toHaveLength(1);
  });

  test('is told anew when it is replaced after the person has spoken', () => {
    const state = beginThread([
      task([said('go'), chunk('one'), status('input-required', 'More?'), said('yes'), status('working'), chunk('two')]),
    ]);
    expect(state.tasks[0]?.entries.filter(({ kind }) => kind === 'artifact')).toHaveLength(2);
    expect(textOf(state)).toBe('two');
  });

  test('keeps parts of different kinds apart when chunks are appended', () => {
    const data = { kind: 'data', data: { rows: 2 } } as const;
    const state = beginThread([
      task([said('go'), chunk('a'), artifact([data], { append: true, last: false }), chunk('b', { append: true })]),
    ]);
    expect(state.tasks[0]?.artifacts.get('answer')?.parts.map(({ kind }) => kind)).toEqual(['text', 'data', 'text']);
  });

  test('is closed by its last chunk alone', () => {
    const open = beginThread([task([said('go'), chunk('a')])]);
    expect(open.tasks[0]?.closed.has('answer')).toBe(false);
    const closed = update(open, numbered([chunk('b', { append: true, last: true })], 3));
    expect(closed.tasks[0]?.closed.has('answer')).toBe(true);
  });
});

describe('a message of the person', () => {
  const message = { messageId: 'm1', text: 'Hello', files: [] };

  test('is on its way until the server tells of it, and then stands there once', () => {
    const sending = reduceThread(beginThread([]), { type: 'sending', message });
    expect(sending.outgoing).toMatchObject([{ messageId: 'm1', problem: null }]);
    const told = update(sending, numbered([said('Hello', 'm1'), status('submitted')]));
    expect(told.outgoing).toEqual([]);
    expect(told.tasks[0]?.entries.filter(({ kind }) => kind === 'said')).toHaveLength(1);
  });

  test('that the server told of before its answer came is not on its way again', () => {
    const told = beginThread([task([said('Hello', 'm1')])]);
    const late = reduceThread(told, { type: 'sending', message });
    expect(late.outgoing).toEqual([]);
  });

  test('that failed but arrived nevertheless leaves the ones not sent', () => {
    let state = reduceThread(beginThread([]), { type: 'sending', message });
    state = reduceThread(state, { type: 'not-sent', messageId: 'm1', problem: 'You are offline.' });
    expect(state.outgoing[0]?.problem).toBe('You are offline.');
    expect(update(state, numbered([said('Hello', 'm1')])).outgoing).toEqual([]);
  });

  test('is sent once more under the same id, not beside itself', () => {
    let state = reduceThread(beginThread([]), { type: 'sending', message });
    state = reduceThread(state, { type: 'not-sent', messageId: 'm1', problem: 'You are offline.' });
    state = reduceThread(state, { type: 'sending', message });
    expect(state.outgoing).toMatchObject([{ messageId: 'm1', problem: null }]);
  });

  test('goes when it is discarded', () => {
    const state = reduceThread(beginThread([]), { type: 'sending', message });
    expect(reduceThread(state, { type: 'discarded', messageId: 'm1' }).outgoing).toEqual([]);
  });
});

describe('stopping', () => {
  test('lasts until the task has ended, whatever still comes before', () => {
    let state = reduceThread(beginThread([task([said('go'), status('working')])]), { type: 'stopping', taskId });
    state = update(state, numbered([chunk('more')], 3));
    expect(state.stopping).toEqual([taskId]);
    state = update(state, numbered([status('canceled')], 4));
    expect(state.stopping).toEqual([]);
  });

  test('is taken back when the server refuses it', () => {
    const state = reduceThread(beginThread([task([said('go'), status('working')])]), { type: 'stopping', taskId });
    expect(reduceThread(state, { type: 'not-stopped', taskId }).stopping).toEqual([]);
  });
});
