import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emptyQueue,
  holdOf,
  type MessageQueue,
  nextToSend,
  type QueueSituation,
  reduceQueue,
  type ThreadTurn,
} from '@/components/chat/state/message-queue';

type Command =
  | { do: 'write' | 'stop' | 'ask' | 'reply' | 'deliver' | 'fail' | 'retry' | 'discard' | 'reload' | 'cut' }
  | { do: 'end'; how: 'user' | 'stopped' }
  | { do: 'edit' | 'remove' | 'hurry' | 'open-editor'; at: number };

/** The page with one conversation, and what its server received. */
class Page {
  queue: MessageQueue = emptyQueue;
  turn: ThreadTurn = 'agent';
  outgoing: { id: string; failed: boolean }[] = [];
  live = true;
  editingId: string | null = null;
  readonly texts = new Map<string, string>();
  readonly received: string[] = [];
  readonly handedOver: string[] = [];
  readonly gone = new Set<string>();
  private written = 0;

  situation(): QueueSituation {
    return {
      turn: this.turn,
      sending: this.outgoing.some(({ failed }) => !failed),
      failed: this.outgoing.some(({ failed }) => failed),
      live: this.live,
      editingId: this.editingId,
    };
  }

  run(command: Command): void {
    this.apply(command);
    const next = nextToSend(this.queue, this.situation());
    if (next) this.handOver(next.messageId);
  }

  private handOver(id: string): void {
    expect(this.handedOver).not.toContain(id);
    expect(this.turn === 'agent' || this.outgoing.length > 0).toBe(false);
    this.handedOver.push(id);
    this.queue = reduceQueue(this.queue, { type: 'sent', messageId: id });
    this.outgoing.push({ id, failed: false });
  }

  private apply(command: Command): void {
    const item = 'at' in command ? this.queue.items[command.at % Math.max(1, this.queue.items.length)] : undefined;
    const [out] = this.outgoing;
    switch (command.do) {
      case 'write': {
        const id = `m${++this.written}`;
        this.texts.set(id, 'as written');
        this.queue = reduceQueue(this.queue, {
          type: 'added',
          message: { messageId: id, text: 'as written', files: [] },
        });
        return;
      }
      case 'edit':
        if (!item) return;
        this.texts.set(item.messageId, 'edited');
        this.queue = reduceQueue(this.queue, { type: 'edited', messageId: item.messageId, text: 'edited' });
        this.editingId = null;
        return;
      case 'open-editor':
        this.editingId = item?.messageId ?? null;
        return;
      case 'remove':
        if (!item) return;
        this.gone.add(item.messageId);
        this.queue = reduceQueue(this.queue, { type: 'removed', messageId: item.messageId });
        return;
      case 'hurry':
        if (item) this.queue = reduceQueue(this.queue, { type: 'prioritized', messageId: item.messageId });
        return;
      case 'end':
        if (this.turn === 'agent') this.turn = command.how;
        return;
      case 'stop':
        if (this.turn === 'agent') this.turn = 'stopped';
        return;
      case 'ask':
        if (this.turn === 'agent') this.turn = 'question';
        return;
      case 'reply':
        if (this.turn === 'question') this.turn = 'agent';
        return;
      case 'deliver':
        if (!out || out.failed) return;
        this.received.push(out.id);
        this.outgoing = [];
        this.turn = 'agent';
        return;
      case 'fail':
      case 'retry':
        if (out) out.failed = command.do === 'fail';
        return;
      case 'discard':
        if (!out?.failed) return;
        this.gone.add(out.id);
        this.outgoing = [];
        return;
      case 'cut':
        this.live = !this.live;
        return;
      case 'reload':
        // A message in transit is returned as unsent, and the user decides about it.
        this.outgoing = this.outgoing.map(({ id }) => ({ id, failed: true }));
        this.editingId = null;
        this.queue = reduceQueue(emptyQueue, { type: 'loaded', queue: JSON.parse(JSON.stringify(this.queue)) });
    }
  }
}

const at = fc.nat(9);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Command>({ do: 'write' }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom('stop', 'ask', 'reply', 'deliver', 'fail', 'retry', 'discard', 'reload', 'cut')
      .map((name): Command => ({ do: name as 'stop' })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('user', 'stopped').map((how): Command => ({ do: 'end', how: how as 'user' })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('edit', 'remove', 'hurry', 'open-editor'), at)
      .map(([name, index]): Command => ({ do: name as 'edit', at: index })),
  },
);

/** Every message is in exactly one place. */
function expectNothingLost(page: Page): void {
  const places = [
    ...page.queue.items.map(({ messageId }) => messageId),
    ...page.outgoing.map(({ id }) => id),
    ...page.received,
    ...page.gone,
  ];
  expect(places.toSorted()).toEqual([...page.texts.keys()].toSorted());
  for (const { messageId, text } of page.queue.items) expect(text).toBe(page.texts.get(messageId));
}

describe('the message queue', () => {
  test('sends each message exactly once, one at a time', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const page = new Page();
        for (const one of commands) {
          page.run(one);
          expectNothingLost(page);
          expect(page.outgoing.length).toBeLessThanOrEqual(1);
        }
        expect(new Set(page.received).size).toBe(page.received.length);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps the messages in order unless the user moves one to the front', () => {
    fc.assert(
      fc.property(
        fc.array(
          command.filter((one) => one.do !== 'hurry'),
          { maxLength: 60 },
        ),
        (commands) => {
          const page = new Page();
          for (const one of commands) page.run(one);
          const numbers = page.handedOver.map((id) => Number(id.slice(1)));
          expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('becomes empty when the agent finishes each task', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        const page = new Page();
        for (const one of commands) page.run(one);
        page.live = true;
        page.editingId = null;
        if (page.turn === 'question' || page.turn === 'stopped') page.turn = 'agent';
        for (let step = 0; step <= 2 * page.texts.size + 2; step++) {
          page.run({ do: 'retry' });
          page.run({ do: 'deliver' });
          page.run({ do: 'end', how: 'user' });
        }
        expect(page.queue.items).toEqual([]);
        expectNothingLost(page);
      }),
    );
  });

  test('waits for the user after a stop, except for the message that caused the stop', () => {
    const items = ['a', 'b'].map((messageId) => ({ messageId, text: messageId, files: [] }));
    const stopped: QueueSituation = { turn: 'stopped', sending: false, failed: false, live: true, editingId: null };
    const queue: MessageQueue = { items, urgentId: null };
    expect(holdOf(queue, stopped)).toBe('stopped');
    const hurried = reduceQueue(queue, { type: 'prioritized', messageId: 'b' });
    expect(nextToSend(hurried, { ...stopped, turn: 'agent' })).toBeNull();
    expect(nextToSend(hurried, stopped)?.messageId).toBe('b');
    const rest = reduceQueue(hurried, { type: 'sent', messageId: 'b' });
    expect(nextToSend(rest, stopped)).toBeNull();
    expect(rest.items.map(({ messageId }) => messageId)).toEqual(['a']);
  });

  test.each([
    [{ turn: 'question' }, 'question'],
    [{ turn: 'authorization' }, 'authorization'],
    [{ failed: true }, 'failed'],
    [{ live: false }, 'offline'],
    [{ sending: true }, 'working'],
    [{ editingId: 'a' }, 'editing'],
    [{ editingId: 'other' }, null],
  ] as const)('in %j waits for: %s', (situation, hold) => {
    const queue: MessageQueue = { items: [{ messageId: 'a', text: 'a', files: [] }], urgentId: null };
    const free: QueueSituation = { turn: 'user', sending: false, failed: false, live: true, editingId: null };
    expect(holdOf(queue, { ...free, ...situation })).toBe(hold);
    expect(holdOf(emptyQueue, { ...free, ...situation })).toBeNull();
  });
});
