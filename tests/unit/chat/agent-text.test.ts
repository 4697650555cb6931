import { describe, expect, test } from 'vitest';
import { textOfBlocks } from '@/components/chat/state/agent-item';
import { createThreadState } from '@/components/chat/state/thread-state';
import { type AgentItem, toItems } from '@/components/chat/state/to-items';
import { toSharedThread } from '@/lib/chat/sharing/to-shared-thread';
import { foldTask, type TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { Part } from '@/lib/protocol/a2a/core/model';
import { artifact, chunk, status, task, taskId, update, userMessage } from './thread-events';

function turnsOf(events: TaskEvent[]): AgentItem[] {
  return toItems(createThreadState([task(events)])).filter((item) => item.kind === 'agent');
}

function turnOf(events: TaskEvent[]): AgentItem {
  const turn = turnsOf(events).at(-1);
  if (!turn) throw new Error('the agent had no turn');
  return turn;
}

const textIn = (events: TaskEvent[]) => textOfBlocks(turnOf(events).blocks);

/** The agent's texts on the shared page. */
function sharedTexts(events: TaskEvent[]): string[] {
  const { turns } = toSharedThread('t', { slug: 's', name: 'n' }, [{ id: taskId, events }]);
  return turns
    .filter(({ role }) => role === 'agent')
    .flatMap(({ pieces }) => pieces)
    .flatMap((piece) => (piece.kind === 'part' && piece.part.kind === 'text' ? [piece.part.text] : []));
}

const long = 'The train to Bologna leaves at 9:14 from platform 3.';

// Agents stream text in status updates, either as deltas or as the whole text so far.
describe('status updates with the same messageId', () => {
  test('form one growing text if each contains only the new text', () => {
    const events = [
      userMessage('go'),
      update('working', 'm', 'Hel'),
      update('working', 'm', 'lo wor'),
      update('working', 'm', 'ld'),
    ];
    expect(turnOf(events).blocks).toHaveLength(1);
    expect(textIn(events)).toBe('Hello world');
  });

  test('form one growing text if each contains all text so far', () => {
    const events = [
      userMessage('go'),
      update('working', 'm', 'Hello'),
      update('working', 'm', 'Hello wor'),
      update('working', 'm', 'Hello world'),
    ];
    expect(textIn(events)).toBe('Hello world');
  });

  test('end with the whole text once if the last update repeats it', () => {
    const deltas = [userMessage('go'), update('working', 'm', 'Hello '), update('working', 'm', ' world\n')];
    expect(textIn([...deltas, update('completed', 'm', 'Hello  world')])).toBe('Hello  world');
    expect(textIn([...deltas, update('completed', 'other', 'Hello world')])).toBe('Hello world');
  });

  test('keep white space that arrives in its own chunk', () => {
    const events = [
      userMessage('go'),
      update('working', 'm', 'a'),
      update('working', 'm', '\n'),
      update('working', 'm', 'b'),
    ];
    expect(textIn(events)).toBe('a\nb');
  });

  test('are not separate timeline steps', () => {
    const pieces = Array.from({ length: 50 }, (_, at) => update('working', 'm', `${at} `));
    const { steps } = turnOf([userMessage('go'), status('submitted'), ...pieces, status('completed')]);
    expect(steps.map(({ state }) => state)).toEqual(['submitted', 'working', 'completed']);
  });

  test('keep files and data that arrived with one of them', () => {
    const data: Part = { kind: 'data', data: { seats: 2 } };
    const first = update('working', 'm', 'Two seats');
    if (first.type === 'status') first.status.message?.parts.push(data);
    const [block] = turnOf([userMessage('go'), first, update('completed', 'm', 'Two seats are free.')]).blocks;
    expect(block).toMatchObject({ kind: 'message', parts: [{ text: 'Two seats are free.' }, data] });
  });

  test('form one message in the history that callers and exports get', () => {
    const events = [
      update('working', 'm', 'Hello '),
      update('working', 'm', 'world'),
      update('completed', 'm', 'Hello world!'),
    ];
    const { history } = foldTask({ id: taskId, contextId: 'c', createdAt: '' }, events);
    expect(history.map(({ parts }) => parts)).toEqual([[{ kind: 'text', text: 'Hello world!' }]]);
  });

  test('remain timeline entries if the same short text is repeated', () => {
    const events = [
      userMessage('go'),
      update('working', 'm', 'Searching'),
      update('working', 'm', 'Searching'),
      chunk('Found.'),
    ];
    expect(textIn(events)).toBe('Found.');
  });

  test('form two texts if they belong to two turns', () => {
    const events = [
      userMessage('a'),
      update('working', 'm', 'One'),
      update('input-required', 'm', 'One?'),
      userMessage('b'),
      update('working', 'm', 'Two'),
      update('completed', 'm', 'Two!'),
    ];
    expect(turnsOf(events).map(({ blocks }) => textOfBlocks(blocks))).toEqual(['One?', 'Two!']);
  });
});

// Agents often repeat the text of their artifact in the final status.
describe('text in both an artifact and a message', () => {
  test.each([
    ['the same', long, long],
    ['with other white space', `${long}\n`, `  ${long.replace(' to ', '\n to  ')}`],
    ['a short text', 'Done', 'Done'],
    ['the message is its beginning', long, long.slice(0, 34)],
    ['the message is its first word', 'Hello world', 'Hello'],
  ])('is shown once: %s', (_case, made, expected) => {
    expect(textIn([userMessage('go'), chunk(made, { last: true }), status('completed', expected)])).toBe(made);
    expect(sharedTexts([userMessage('go'), chunk(made, { last: true }), status('completed', expected)])).toEqual([
      made,
    ]);
  });

  test('is shown once if the message arrived first', () => {
    expect(
      textIn([userMessage('go'), status('working', `${long}\n\nBye.`), chunk(`${long}\n\nBye.`), status('completed')]),
    ).toBe(`${long}\n\nBye.`);
  });

  test('is shown once if the artifact arrived in chunks, with the text that only the message contains', () => {
    const events = [
      userMessage('go'),
      chunk(long.slice(0, 20)),
      chunk(long.slice(20), { append: true, last: true }),
      status('completed', `${long}\n\nAnything else?`),
    ];
    expect(textIn(events)).toBe(`${long}\n\nAnything else?`);
    expect(turnOf(events).blocks).toHaveLength(2);
  });

  test('is shown once if the message joins two artifacts’ texts', () => {
    const events = [
      userMessage('go'),
      chunk('First half.', { id: 'a' }),
      chunk('Second half.', { id: 'b' }),
      status('completed', 'First half.\nSecond half.'),
    ];
    expect(turnOf(events).blocks.map(({ kind }) => kind)).toEqual(['artifact', 'artifact']);
  });

  test('is shown twice if only the first letters are equal', () => {
    expect(textIn([userMessage('go'), chunk('Doner kebab'), status('completed', 'Done')])).toBe('Doner kebab\n\nDone');
  });

  test('leaves the message’s data in place, so that an offer is still found', () => {
    const data: Part = { kind: 'data', data: { total: 5 } };
    const done = status('completed', long);
    if (done.type === 'status') done.status.message?.parts.push(data);
    expect(turnOf([userMessage('go'), chunk(long), done]).blocks[1]).toMatchObject({ parts: [{ text: '' }, data] });
  });

  test('is shown once if two messages with different ids contain it', () => {
    expect(textIn([userMessage('go'), status('working', `${long}\nBye.`), status('completed', `${long}\nBye.`)])).toBe(
      `${long}\nBye.`,
    );
  });
});

describe('an empty reply', () => {
  test.each([
    ['no content at all', [status('completed')]],
    ['an empty text', [status('completed', '')]],
    ['white space', [status('completed', ' \n ')]],
    ['an artifact without parts', [artifact([]), status('completed')]],
    ['an artifact with an empty text', [chunk('', { last: true }), status('completed', '')]],
  ])('is labeled as empty: %s', (_case, events) => {
    const turn = turnOf([userMessage('go'), status('submitted'), status('working'), ...events]);
    expect(turn).toMatchObject({ phase: 'done', blocks: [], turnStatus: { title: 'empty', retry: true } });
  });

  test('is not reported for turns with a file or an earlier message', () => {
    expect(
      turnOf([userMessage('go'), artifact([{ kind: 'data', data: 0 }]), status('completed')]).turnStatus,
    ).toBeNull();
    expect(turnOf([userMessage('go'), status('working', 'It is 42.'), status('completed')]).turnStatus).toBeNull();
  });

  test('is labeled as empty if it awaits a reply', () => {
    expect(turnOf([userMessage('go'), status('input-required')])).toMatchObject({
      phase: 'asks',
      turnStatus: { title: 'emptyQuestion' },
    });
  });
});

describe('a declined question', () => {
  test.each(['input-required', 'auth-required'] as const)('is not shown as stopped work: %s', (state) => {
    const turn = turnOf([userMessage('go'), status('working'), status(state, 'Which size?'), status('canceled')]);
    expect(turn).toMatchObject({ phase: 'unanswered', turnStatus: { title: 'unanswered', retry: false } });
  });

  test('differs from work that was stopped after the reply', () => {
    const events = [
      userMessage('go'),
      status('input-required', 'Which size?'),
      userMessage('Large'),
      status('working'),
      status('canceled'),
    ];
    expect(turnOf(events).phase).toBe('stopped');
  });
});

describe('a shared page', () => {
  test('shows the parts in the chat’s order', () => {
    const events = [
      userMessage('go'),
      chunk('First, a table.', { id: 'a' }),
      status('working', `Then a paragraph.\n\n${long}`),
      chunk('Last, a note.', { id: 'b' }),
      status('input-required', 'Is that all?'),
      userMessage('Yes'),
      chunk('First, a better table.', { id: 'a' }),
      status('completed', 'Bye.'),
    ];
    const inChat = turnsOf(events).flatMap(({ blocks }) => blocks);
    const texts = inChat.flatMap((block) => (block.kind === 'replaced' ? [] : [textOfBlocks([block])]));
    expect(texts).toHaveLength(5);
    expect(sharedTexts(events)).toEqual(texts);
  });

  test('shows a growing text once', () => {
    const events = [
      userMessage('go'),
      update('working', 'm', 'Hel'),
      update('working', 'm', 'lo'),
      update('completed', 'm', 'Hello!'),
    ];
    expect(sharedTexts(events)).toEqual(['Hello!']);
  });
});
