import { describe, expect, test } from 'vitest';
import { textOfBlocks } from '@/components/chat/state/agent-item';
import { toMessageContent } from '@/components/chat/state/message-content';
import { createThreadState, reduceThread } from '@/components/chat/state/thread-state';
import { toArtifacts } from '@/components/chat/state/to-artifacts';
import { type AgentItem, type ThreadItem, toItems } from '@/components/chat/state/to-items';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import { texts } from '@/lib/texts/en';
import { artifact, chunk, numbered, refused, status, task, taskId, userMessage } from './thread-events';

function itemsOf(events: TaskEvent[]): ThreadItem[] {
  return toItems(createThreadState([task(events)]));
}

function turnOf(events: TaskEvent[]): AgentItem {
  const turn = itemsOf(events).findLast((item) => item.kind === 'agent');
  if (turn?.kind !== 'agent') throw new Error('the agent had no turn');
  return turn;
}

function textsOf(turn: AgentItem): string {
  return textOfBlocks(turn.blocks);
}

describe('a thread', () => {
  test('is shown turn by turn: the user’s message, followed by the agent’s work', () => {
    const items = itemsOf([
      userMessage('A pizza'),
      status('submitted'),
      status('input-required', 'Which size?'),
      userMessage('Large'),
      status('working'),
      status('completed', 'Ordered.'),
    ]);
    expect(items.map(({ kind }) => kind)).toEqual(['user', 'agent', 'user', 'agent']);
    expect(items.map((item) => (item.kind === 'agent' ? item.phase : null))).toEqual([null, 'answered', null, 'done']);
  });

  test('shows a rejected reply with the reason, and hides it after another is sent', () => {
    const history = [
      userMessage('A pizza'),
      status('submitted'),
      status('input-required', 'Which size?'),
      userMessage('Huge', 'huge'),
      status('working'),
      refused('Which size?', 'huge'),
    ];
    const last = turnOf(history);
    expect(last).toMatchObject({ phase: 'asks', turnStatus: { tone: 'danger', retry: true } });
    expect(last.turnStatus?.text).toContain('no');
    expect(textsOf(last)).toBe('');
    const items = itemsOf([...history, userMessage('Large'), status('working'), status('completed', 'Ordered.')]);
    expect(items.map(({ kind }) => kind)).toEqual(['user', 'agent', 'user', 'agent']);
    expect(JSON.stringify(items)).not.toContain('Huge');
  });

  test('ends with pending messages, and gives the reason for an unsent message', () => {
    let state = reduceThread(createThreadState([task([userMessage('go')])]), {
      type: 'sending',
      message: { messageId: 'm2', text: 'Second', files: [{ name: 'a.csv', mediaType: 'text/csv', bytes: 'YQ==' }] },
    });
    expect(toItems(state).at(-1)).toMatchObject({
      kind: 'user',
      delivery: 'sending',
      parts: [{ text: 'Second' }, { filename: 'a.csv' }],
    });
    state = reduceThread(state, { type: 'send-failed', messageId: 'm2', problem: 'You’re offline.' });
    expect(toItems(state).at(-1)).toMatchObject({ delivery: 'failed', problem: 'You’re offline.' });
  });

  test('returns unchanged tasks’ items as the same objects, so that they do not render again', () => {
    const other = 'b3bb189e-8bf9-4888-9912-ace4e6543002';
    const before = createThreadState([
      task([userMessage('a'), status('completed')]),
      task([userMessage('b')], other, '2026-11-20T12:05:00.000Z'),
    ]);
    const old = toItems(before);
    const updates = [
      { taskId: other, createdAt: '2026-11-20T12:05:00.000Z', events: numbered([status('working')], 2) },
    ];
    const now = toItems(reduceThread(before, { type: 'updated', updates }));
    expect(now[0]).toBe(old[0]);
    expect(now[1]).toBe(old[1]);
  });
});

describe('agent messages during work', () => {
  test('appear in the timeline with their time if they are one short line', () => {
    const turn = turnOf([
      userMessage('go'),
      status('submitted'),
      status('working', 'Reading data.csv'),
      chunk('Result'),
    ]);
    expect(turn.steps).toMatchObject([
      { state: 'submitted', progressText: null },
      { state: 'working', progressText: 'Reading data.csv', timestamp: '2026-11-20T12:00:00.000Z' },
    ]);
    expect(textsOf(turn)).toBe('Result');
  });

  test('are part of the reply if they are longer', () => {
    const long = 'word '.repeat(60);
    expect(textsOf(turnOf([userMessage('go'), status('working', long)]))).toBe(long);
    expect(textsOf(turnOf([userMessage('go'), status('working', 'two\nlines')]))).toBe('two\nlines');
  });

  test('form the reply if the agent ends without another message', () => {
    const turn = turnOf([userMessage('go'), status('working', 'It is 42.'), status('completed')]);
    expect(textsOf(turn)).toBe('It is 42.');
  });
});

describe('a question', () => {
  test('is open on its task until it is answered', () => {
    const turn = turnOf([userMessage('go'), status('input-required', 'Which size?')]);
    expect(turn).toMatchObject({ phase: 'asks', taskId });
    expect(textsOf(turn)).toBe('Which size?');
  });

  test('for authorization differs from a question for input', () => {
    expect(turnOf([userMessage('go'), status('auth-required', 'Log in at example.com')]).phase).toBe('needs-auth');
  });
});

describe('the end of a turn', () => {
  test('shows Parley’s text if Parley caused it, never as the agent’s', () => {
    const turn = turnOf([userMessage('go'), status('failed', 'The agent cannot be reached.', 'agent_unreachable')]);
    expect(turn.blocks).toEqual([]);
    expect(turn.turnStatus).toMatchObject({ tone: 'danger', text: 'The agent cannot be reached.', retry: true });
  });

  test('shows the agent’s text if the agent caused it', () => {
    const turn = turnOf([userMessage('go'), status('failed', 'Parley: your payment failed, pay again')]);
    expect(textsOf(turn)).toBe('Parley: your payment failed, pay again');
    expect(turn.turnStatus?.text).toBeNull();
  });

  test('keeps earlier output and says that the work was stopped', () => {
    const turn = turnOf([userMessage('go'), status('working'), chunk('half an ans'), status('canceled')]);
    expect(turn).toMatchObject({ phase: 'stopped', turnStatus: { title: 'stopped', retry: true } });
    expect(texts.chat.turnNotice.title.stopped).toBe('Stopped');
    expect(textsOf(turn)).toBe('half an ans');
  });

  test('is shown as “stopping” as soon as the user clicks stop', () => {
    const state = reduceThread(createThreadState([task([userMessage('go'), status('working')])]), {
      type: 'stopping',
      taskId,
    });
    expect(toItems(state).at(-1)).toMatchObject({ phase: 'stopping' });
  });

  test.each([
    ['completed', 'done'],
    ['failed', 'failed'],
    ['rejected', 'rejected'],
    ['canceled', 'stopped'],
  ] as const)('after %s is shown as %s', (state, phase) => {
    expect(turnOf([userMessage('go'), status(state)]).phase).toBe(phase);
  });

  test('shows the message if there is only a message', () => {
    const message = { messageId: 'r', role: 'agent' as const, parts: [{ kind: 'text' as const, text: 'Just this.' }] };
    const turn = turnOf([
      userMessage('go'),
      status('submitted'),
      { type: 'reply', message, timestamp: '2026-11-20T12:00:01.000Z' },
    ]);
    expect(turn.phase).toBe('done');
    expect(textsOf(turn)).toBe('Just this.');
  });
});

describe('an artifact', () => {
  test('appears where it began, and is live until its last chunk or the end of the task', () => {
    const live = turnOf([userMessage('go'), status('working'), chunk('a'), status('working', 'Still at it')]);
    expect(live.blocks).toMatchObject([{ kind: 'artifact', streaming: true }]);
    const closed = turnOf([userMessage('go'), status('working'), chunk('a'), chunk('b', { append: true, last: true })]);
    expect(closed.blocks).toMatchObject([{ kind: 'artifact', streaming: false }]);
    const failedTurn = turnOf([userMessage('go'), status('working'), chunk('a'), status('failed')]);
    expect(failedTurn.blocks).toMatchObject([{ kind: 'artifact', streaming: false }]);
  });

  test('links to its newest version if it was replaced in a later turn', () => {
    const items = itemsOf([
      userMessage('go'),
      artifact([{ kind: 'data', data: 1 }], { id: 'cart', name: 'Cart' }),
      status('input-required', 'Good?'),
      userMessage('Larger'),
      status('working'),
      artifact([{ kind: 'data', data: 2 }], { id: 'cart', name: 'Cart' }),
      status('input-required', 'Now?'),
    ]);
    const [first, second] = items.filter((item) => item.kind === 'agent');
    expect(first?.blocks[0]).toMatchObject({ kind: 'replaced', name: 'Cart' });
    expect(second?.blocks[0]).toMatchObject({ kind: 'artifact', artifact: { parts: [{ data: 2 }] } });
  });

  test('is listed in its newest version under a unique id, whichever task it belongs to', () => {
    const other = 'b3bb189e-8bf9-4888-9912-ace4e6543002';
    const state = createThreadState([
      task([userMessage('a'), chunk('one'), chunk(' two', { append: true })]),
      task([userMessage('b'), chunk('three')], other, '2026-11-20T12:05:00.000Z'),
    ]);
    const { artifacts: all, streamingIds } = toArtifacts(state);
    expect(all.map(({ parts }) => parts)).toEqual([
      [{ kind: 'text', text: 'one two' }],
      [{ kind: 'text', text: 'three' }],
    ]);
    expect(new Set(all.map(({ artifactId }) => artifactId)).size).toBe(2);
    expect(streamingIds).toEqual(new Set(all.map(({ artifactId }) => artifactId)));
  });
});

test('a message can be resent with its text and files unchanged', () => {
  const parts = [
    { kind: 'text' as const, text: 'Profile this' },
    { kind: 'bytes' as const, bytes: 'YQ==', mediaType: 'text/csv', filename: 'a.csv' },
  ];
  expect(toMessageContent(parts)).toEqual({
    text: 'Profile this',
    files: [{ name: 'a.csv', mediaType: 'text/csv', bytes: 'YQ==' }],
  });
});
