import { expect, test } from 'vitest';
import { turnOf } from '@/components/chat/composer/use-message-queue';
import { createThreadState } from '@/components/chat/state/thread-state';
import { toItems } from '@/components/chat/state/to-items';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import { numbered, status, userMessage } from './thread-events';

const createdAt = '2026-11-26T10:00:00.000Z';

function turnAfter(events: TaskEvent[], interrupt: 'asks' | 'needs-auth' | null = null): string {
  const state = createThreadState([{ id: 't1', createdAt, events: numbered(events) }]);
  return turnOf(toItems(state), state, interrupt && { taskId: 't1', kind: interrupt });
}

test('it is the agent’s turn as soon as the user sends a message', () => {
  expect(turnAfter([userMessage('go')])).toBe('agent');
  expect(turnAfter([userMessage('go'), status('working')])).toBe('agent');
});

test('after an agent asks something, it is the user’s turn, unless a question or sign-in is answered outside the composer', () => {
  const asked = [userMessage('go'), status('input-required')];
  expect(turnAfter(asked, 'asks')).toBe('question');
  expect(turnAfter(asked, 'needs-auth')).toBe('authorization');
  expect(turnAfter(asked)).toBe('user');
});

test('a canceled task ends in a stopped turn, and any other end gives the turn to the user', () => {
  expect(turnAfter([userMessage('go'), status('working'), status('canceled')])).toBe('stopped');
  expect(turnAfter([userMessage('go'), status('input-required'), status('canceled')])).toBe('stopped');
  for (const end of ['completed', 'failed', 'rejected'] as const) {
    expect(turnAfter([userMessage('go'), status(end)])).toBe('user');
  }
});

test('it is the user’s turn in an empty thread', () => {
  const state = createThreadState([]);
  expect(turnOf([], state, null)).toBe('user');
});
