import { describe, expect, test } from 'vitest';
import { foldTask, type TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { TaskState } from '@/lib/protocol/a2a/core/model';
import { changesOf } from '@/lib/protocol/a2a/core/task-changes';
import { chooseDialect, legacySystemDialect, restDialect, toPushBody } from '@/lib/protocol/a2a/dialects';

const timestamp = '2026-01-01T00:00:00.000Z';
const said = (messageId: string): TaskEvent => ({
  type: 'message',
  message: { messageId, role: 'user', parts: [{ kind: 'text', text: messageId }] },
});
const status = (state: TaskState, more: object = {}): TaskEvent => ({
  type: 'status',
  status: { state, timestamp },
  ...more,
});
const piece = (artifactId: string, lastChunk = false): TaskEvent => ({
  type: 'artifact',
  artifact: { artifactId, parts: [{ kind: 'text', text: 'a' }] },
  append: false,
  lastChunk,
});

function changes(...events: TaskEvent[]): ReturnType<typeof changesOf> {
  return changesOf(events.map((event, at) => ({ seq: at + 1, event })));
}

describe('the changes of a task', () => {
  test('begin without events', () => {
    expect(changes()).toMatchObject({ generation: 0, timeline: [] });
  });

  test('leave out a message that the agent refused, whose number stays unused', () => {
    const refusal = { code: 'agent_unreachable', text: 'no', messageId: 'two', retryable: true };
    const { timeline, generation } = changes(
      said('one'),
      status('input-required'),
      said('two'),
      status('input-required', { refusal }),
    );
    expect(timeline.map((entry) => entry.generation)).toEqual([1, 2, 4]);
    expect(generation).toBe(4);
  });

  test('end an artifact with its last piece, or with its latest one when the task ends', () => {
    const open = changes(said('one'), piece('a', true), piece('b'), piece('b')).artifacts;
    expect(open.get('a')).toEqual({ first: 2, latest: 2, isComplete: true });
    expect(open.get('b')).toEqual({ first: 3, latest: 4, isComplete: false });
    const ended = changes(said('one'), piece('b'), piece('b'), status('completed')).artifacts;
    expect(ended.get('b')).toEqual({ first: 2, latest: 3, isComplete: true });
  });

  test('contain an answer without a status as the last status', () => {
    const message = { messageId: 'm', role: 'agent' as const, parts: [] };
    const { timeline } = changes(said('one'), { type: 'reply', message, timestamp });
    expect(timeline.at(-1)?.status).toMatchObject({ state: 'completed', message });
  });

  test('ask once while the task waits for input, and not for a sign-in', () => {
    const { elicitations } = changes(
      said('one'),
      status('input-required'),
      status('input-required'),
      said('two'),
      status('working'),
      status('auth-required'),
    );
    expect([...elicitations.values()]).toEqual([{ elicitationId: 'question-2', state: 'resolved' }]);
  });

  test('keep at most 200 requests for input of an agent', () => {
    const asks = (from: number): TaskEvent =>
      status('working', {
        status: {
          state: 'working',
          timestamp,
          elicitations: Array.from({ length: 50 }, (_, at) => ({ elicitationId: `e${from + at}`, state: 'waiting' })),
        },
      });
    const { elicitations } = changes(...[0, 50, 100, 150, 200, 250].map(asks));
    expect(elicitations.size).toBe(200);
  });
});

describe('callers of earlier versions', () => {
  const dialects = {
    '1.0': chooseDialect('SendMessage', '1.0'),
    '0.3': chooseDialect('message/send', ''),
    '0.3 over HTTP+JSON': restDialect('0.3', '0.3'),
    '0.1': chooseDialect('tasks/send', '0.1'),
    society: legacySystemDialect('society'),
    societyai: legacySystemDialect('societyai'),
    orloj: legacySystemDialect('orloj'),
    agentos: legacySystemDialect('agentos'),
  };
  const ids = { taskId: 't', contextId: 'c' };
  const identity = { id: 't', contextId: 'c', createdAt: timestamp };
  const plain: TaskEvent[] = [
    said('one'),
    status('input-required'),
    said('two'),
    piece('a', true),
    status('completed'),
  ];
  const withDraft = plain.map((event): TaskEvent => {
    if (event.type === 'message') return { ...event, message: { ...event.message, elicitationIds: ['e'] } };
    if (event.type !== 'status') return event;
    return { ...event, status: { ...event.status, elicitations: [{ elicitationId: 'e', state: 'blocked' }] } };
  });

  test.each(Object.entries(dialects))('receive the same bytes in %s', (_, dialect) => {
    const older = foldTask(identity, plain);
    const newer = { ...foldTask(identity, withDraft), changes: changes(...withDraft) };
    const bytes = (task: typeof older, events: TaskEvent[]): string =>
      JSON.stringify([
        dialect.taskResult(task),
        dialect.sendResult({ task }),
        dialect.snapshotEvent(task),
        dialect.listResult({ tasks: [task], nextPageToken: '', pageSize: 1, totalSize: 1 }, true),
        events.map((event, seq) => dialect.event(event, ids, seq)),
        events.map((event, seq) => toPushBody(dialect.key === '1.0' ? '1.0' : '0.3', { seq, event }, task)),
      ]);
    expect(bytes(newer, withDraft)).toBe(bytes(older, plain));
  });
});
