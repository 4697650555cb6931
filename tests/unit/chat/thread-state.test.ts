import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createThreadState, reduceThread, type ThreadState } from '@/components/chat/state/thread-state';
import type { ThreadEvent } from '@/lib/chat/schema-thread';
import { mergeChunks } from '@/lib/chat/thread/read-thread';
import { artifact, chunk, numbered, status, task, taskId, userMessage } from './thread-events';

const createdAt = '2026-11-20T12:00:00.000Z';

/** The state after events of the task, or of another one. */
function update(
  state: ThreadState,
  events: ThreadEvent[],
  target: { taskId: string; createdAt: string } = { taskId, createdAt },
): ThreadState {
  return reduceThread(state, { type: 'updated', updates: [{ ...target, events }] });
}

function textOf(state: ThreadState, artifactId = 'answer'): string {
  const parts = state.tasks[0]?.artifacts.get(artifactId)?.parts ?? [];
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** The events of one artifact in the given chunks. */
function eventsOf(pieces: string[]): ThreadEvent[] {
  const chunks = pieces.map((piece, index) => chunk(piece, { append: index > 0, last: index === pieces.length - 1 }));
  return numbered([userMessage('go'), status('submitted'), ...chunks, status('completed')]);
}

describe('an artifact’s text', () => {
  const anyText = fc.array(fc.string({ unit: 'binary', maxLength: 6 }), { minLength: 1, maxLength: 30 });

  test('is byte-identical however its chunks are batched and merged', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 });
    fc.assert(
      fc.property(anyText, sizes, fc.boolean(), (pieces, batches, joined) => {
        const events = eventsOf(pieces);
        let state = createThreadState([]);
        for (let at = 0, turn = 0; at < events.length; turn += 1) {
          const size = batches[turn % batches.length] ?? 1;
          const batch = events.slice(at, at + size);
          state = update(state, joined ? mergeChunks(batch) : batch);
          at += size;
        }
        expect(state.hasGap).toBe(false);
        expect(textOf(state)).toBe(pieces.join(''));
      }),
    );
  });

  test('keeps characters whose UTF-16 halves arrived in different chunks', () => {
    const [high, low] = ['\ud83d', '\ude80'];
    const state = update(createThreadState([]), mergeChunks(eventsOf([`a${high}`, `${low}b`])));
    expect(textOf(state)).toBe('a🚀b');
  });

  test('is the same if batches overlap or repeat', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(40), { maxLength: 20 }), (pieces, starts) => {
        const events = eventsOf(pieces);
        let state = createThreadState([]);
        for (const start of [...starts, 0]) {
          // A batch may repeat known events but never begins after a gap.
          const known = state.tasks[0]?.seq ?? 0;
          state = update(state, events.slice(Math.min(start, known)));
        }
        expect(state.hasGap).toBe(false);
        expect(textOf(state)).toBe(pieces.join(''));
      }),
    );
  });
});

describe('an event from the server', () => {
  test('is ignored if it was already received, and the state remains the same object', () => {
    const state = createThreadState([task([userMessage('go'), status('submitted'), chunk('a')])]);
    expect(update(state, numbered([userMessage('go'), status('submitted'), chunk('a')]))).toBe(state);
  });

  test('marks the thread as broken after a gap, and later events are not applied', () => {
    const before = createThreadState([task([userMessage('go'), status('submitted')])]);
    const after = update(before, numbered([chunk('late', { append: true })], 4));
    expect(after.hasGap).toBe(true);
    expect(after.tasks).toBe(before.tasks);
  });

  test('marks the thread as broken if a merged step overlaps known events', () => {
    const before = createThreadState([task([userMessage('go'), status('submitted'), chunk('a')])]);
    const after = update(before, [{ from: 3, seq: 5, event: chunk('abc') }]);
    expect(after.hasGap).toBe(true);
  });

  test('is superseded by reloading the thread, which repairs a broken one', () => {
    const broken = update(createThreadState([task([userMessage('go')])]), numbered([chunk('late')], 9));
    const repaired = reduceThread(broken, {
      type: 'loaded',
      chains: [],
      tasks: [task([userMessage('go'), status('submitted'), chunk('all')])],
    });
    expect(repaired.hasGap).toBe(false);
    expect(textOf(repaired)).toBe('all');
  });

  test('sorts tasks by start time, even if an earlier task arrives later', () => {
    const first = createThreadState([]);
    const later = update(first, numbered([userMessage('second')]), { taskId, createdAt: '2026-11-20T12:05:00.000Z' });
    const both = update(later, numbered([userMessage('first')]), {
      taskId: 'b3bb189e-8bf9-4888-9912-ace4e6543002',
      createdAt,
    });
    expect(both.tasks.map((known) => known.createdAt)).toEqual([createdAt, '2026-11-20T12:05:00.000Z']);
  });

  test('leaves the objects of other tasks unchanged', () => {
    const other = 'b3bb189e-8bf9-4888-9912-ace4e6543002';
    const before = createThreadState([
      task([userMessage('a')]),
      task([userMessage('b')], other, '2026-11-20T12:05:00.000Z'),
    ]);
    const after = update(before, numbered([status('submitted')], 2), {
      taskId: other,
      createdAt: '2026-11-20T12:05:00.000Z',
    });
    expect(after.tasks[0]).toBe(before.tasks[0]);
    expect(after.tasks[1]).not.toBe(before.tasks[1]);
  });
});

describe('an artifact', () => {
  test('is replaced in place during the agent’s turn', () => {
    const state = createThreadState([
      task([userMessage('go'), status('submitted'), chunk('draft'), chunk('final', { last: true })]),
    ]);
    expect(textOf(state)).toBe('final');
    expect(state.tasks[0]?.entries.filter(({ kind }) => kind === 'artifact')).toHaveLength(1);
  });

  test('is shown again if it is replaced after the user has replied', () => {
    const state = createThreadState([
      task([
        userMessage('go'),
        chunk('one'),
        status('input-required', 'More?'),
        userMessage('yes'),
        status('working'),
        chunk('two'),
      ]),
    ]);
    expect(state.tasks[0]?.entries.filter(({ kind }) => kind === 'artifact')).toHaveLength(2);
    expect(textOf(state)).toBe('two');
  });

  test('does not merge parts of different kinds when chunks are appended', () => {
    const data = { kind: 'data', data: { rows: 2 } } as const;
    const state = createThreadState([
      task([
        userMessage('go'),
        chunk('a'),
        artifact([data], { append: true, last: false }),
        chunk('b', { append: true }),
      ]),
    ]);
    expect(state.tasks[0]?.artifacts.get('answer')?.parts.map(({ kind }) => kind)).toEqual(['text', 'data', 'text']);
  });

  test('is closed only by its last chunk', () => {
    const open = createThreadState([task([userMessage('go'), chunk('a')])]);
    expect(open.tasks[0]?.closed.has('answer')).toBe(false);
    const closed = update(open, numbered([chunk('b', { append: true, last: true })], 3));
    expect(closed.tasks[0]?.closed.has('answer')).toBe(true);
  });
});

describe('a message from the user', () => {
  const message = { messageId: 'm1', text: 'Hello', files: [] };

  test('is pending until the server sends it, and then appears once', () => {
    const sending = reduceThread(createThreadState([]), { type: 'sending', message });
    expect(sending.outgoing).toMatchObject([{ messageId: 'm1', problem: null }]);
    const updated = update(sending, numbered([userMessage('Hello', 'm1'), status('submitted')]));
    expect(updated.outgoing).toEqual([]);
    expect(updated.tasks[0]?.entries.filter(({ kind }) => kind === 'user-message')).toHaveLength(1);
  });

  test('is not pending if the server sent it before its response', () => {
    const updated = createThreadState([task([userMessage('Hello', 'm1')])]);
    const late = reduceThread(updated, { type: 'sending', message });
    expect(late.outgoing).toEqual([]);
  });

  test('is not listed as unsent if it arrived despite an error', () => {
    let state = reduceThread(createThreadState([]), { type: 'sending', message });
    state = reduceThread(state, { type: 'send-failed', messageId: 'm1', problem: 'You’re offline.' });
    expect(state.outgoing[0]?.problem).toBe('You’re offline.');
    expect(update(state, numbered([userMessage('Hello', 'm1')])).outgoing).toEqual([]);
  });

  test('is resent with the same id, without a duplicate', () => {
    let state = reduceThread(createThreadState([]), { type: 'sending', message });
    state = reduceThread(state, { type: 'send-failed', messageId: 'm1', problem: 'You’re offline.' });
    state = reduceThread(state, { type: 'sending', message });
    expect(state.outgoing).toMatchObject([{ messageId: 'm1', problem: null }]);
  });

  test('is removed when discarded', () => {
    const state = reduceThread(createThreadState([]), { type: 'sending', message });
    expect(reduceThread(state, { type: 'discarded', messageId: 'm1' }).outgoing).toEqual([]);
  });
});

describe('stopping a task', () => {
  test('lasts until the task has ended, whatever events follow', () => {
    let state = reduceThread(createThreadState([task([userMessage('go'), status('working')])]), {
      type: 'stopping',
      taskId,
    });
    state = update(state, numbered([chunk('more')], 3));
    expect(state.stoppingIds).toEqual([taskId]);
    state = update(state, numbered([status('canceled')], 4));
    expect(state.stoppingIds).toEqual([]);
  });

  test('is reverted if the server rejects it', () => {
    const state = reduceThread(createThreadState([task([userMessage('go'), status('working')])]), {
      type: 'stopping',
      taskId,
    });
    expect(reduceThread(state, { type: 'stop-failed', taskId }).stoppingIds).toEqual([]);
  });
});
