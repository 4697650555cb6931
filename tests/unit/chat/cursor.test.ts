import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ThreadCursor } from '@/lib/chat/thread/read-thread';

const now = new Date('2026-11-20T12:00:00.000Z');
const minute = 60_000;

function taskAt(minutesAgo: number, lastSeq = 9): { id: string; createdAt: Date; lastSeq: number } {
  return { id: randomUUID(), createdAt: new Date(now.getTime() - minutesAgo * minute), lastSeq };
}

/** The cursor with which a reader reconnects. */
function again(cursor: ThreadCursor): ThreadCursor {
  return ThreadCursor.parse(String(cursor), now);
}

describe('a cursor', () => {
  test('starts at zero in every task for a new reader', () => {
    for (const text of [null, '']) expect(ThreadCursor.parse(text, now).seqOf(taskAt(0))).toBe(0);
  });

  test('returns the exact position in every open task', () => {
    const tasks = [taskAt(500), taskAt(3), taskAt(0)];
    const cursor = ThreadCursor.parse(null, now);
    for (const [index, task] of tasks.entries()) cursor.advance(task, index + 1, false);
    expect(tasks.map((task) => again(cursor).seqOf(task))).toEqual([1, 2, 3]);
  });

  test('is at the end of finished tasks, old and recent', () => {
    const tasks = [taskAt(500), taskAt(3), taskAt(0)];
    const cursor = ThreadCursor.parse(null, now);
    for (const task of tasks) cursor.advance(task, 9, true);
    expect(tasks.map((task) => again(cursor).seqOf(task))).toEqual([9, 9, 9]);
  });

  test('is at zero in a task that was never sent, even if later tasks are finished', () => {
    const cursor = ThreadCursor.parse(null, now);
    cursor.advance(taskAt(0), 9, true);
    expect(again(cursor).seqOf(taskAt(0.5))).toBe(0);
  });

  test('remains at zero in an unread old task, even if a newer task was read', () => {
    const [old, young] = [taskAt(500), taskAt(0)];
    const cursor = ThreadCursor.parse(null, now);
    cursor.advance(old, 0, false);
    cursor.advance(young, 0, false);
    cursor.advance(young, 9, true);
    expect(again(cursor).seqOf(old)).toBe(0);
  });

  test('stays small in a conversation with a thousand finished tasks', () => {
    const cursor = ThreadCursor.parse(null, now);
    for (let minutes = 1_000; minutes > 0; minutes -= 1) cursor.advance(taskAt(minutes), 9, true);
    cursor.advance(taskAt(0), 4, false);
    expect(String(cursor).length).toBeLessThan(200);
  });

  test('treats a position beyond the end of a task as zero', () => {
    const task = taskAt(0, 20);
    const cursor = ThreadCursor.parse(null, now);
    cursor.advance(task, 20, false);
    expect(again(cursor).seqOf({ ...task, lastSeq: 10 })).toBe(0);
  });

  test('does not hide future tasks if its times are in the future', () => {
    const cursor = ThreadCursor.parse((now.getTime() + 1e9).toString(36), now);
    expect(cursor.seqOf(taskAt(0))).toBe(0);
  });

  test('is valid in a header and in an event id', () => {
    const cursor = ThreadCursor.parse(null, now);
    cursor.advance(taskAt(0), 1_000_000, false);
    expect(String(cursor)).toMatch(/^[\w.:-]+$/);
  });

  test('survives encoding after any sequence of positions', () => {
    const step = fc.record({ task: fc.nat(5), seq: fc.integer({ min: 0, max: 1_000_000 }), over: fc.boolean() });
    const tasks = [0, 0.2, 0.9, 1.1, 30, 9_000].map((minutes) => taskAt(minutes, 2_000_000));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const cursor = ThreadCursor.parse(null, now);
        for (const task of tasks) cursor.advance(task, 0, false);
        const seen = new Map<string, number>();
        const finished = new Set<string>();
        for (const { task: index, seq, over } of steps) {
          const task = tasks[index];
          if (!task || finished.has(task.id)) continue;
          cursor.advance(task, seq, over);
          seen.set(task.id, seq);
          if (over) finished.add(task.id);
        }
        for (const task of tasks) {
          const lastSeq = finished.has(task.id) ? (seen.get(task.id) ?? 0) : task.lastSeq;
          expect(again(cursor).seqOf({ ...task, lastSeq })).toBe(seen.get(task.id) ?? 0);
        }
      }),
    );
  });

  test('is rejected if Parley did not issue it', () => {
    const real = ThreadCursor.parse(null, now);
    real.advance(taskAt(0), 3, false);
    const broken = [
      '-1',
      '9223372036854775808',
      '0.',
      '0.x',
      `${real}.`,
      `${real}x`,
      `${real}\n`,
      ' 0',
      '0 ',
      '0.::: ',
      '%00',
      '🚀',
      String(real).replace(':o', ':z'),
      String(real).replace(/:[^:]+:o$/, ':-1:o'),
    ];
    for (const text of broken) expect(() => ThreadCursor.parse(text, now), text).toThrow(/Last-Event-ID/);
  });

  test('SSE-3: is parsed safely from any text or rejected with Parley’s own error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z]{1,10}(\.[\w:-]{0,40}){0,4}$/)), (text) => {
        try {
          const seq = ThreadCursor.parse(text, now).seqOf(taskAt(0));
          expect(seq).toBe(0);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ParleyError', code: 'invalid_request' });
        }
      }),
    );
  });
});
