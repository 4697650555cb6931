import { describe, expect, it } from 'vitest';
import type { Message, Task } from '@/lib/protocol/a2a/core/model';
import { earlierMessages } from '@/lib/tasks/sources/deliver-turn';

const CONTEXT = 'the agent’s context';

function message(messageId: string, text = messageId, role: Message['role'] = 'user'): Message {
  return { messageId, role, parts: [{ kind: 'text', text }], contextId: 'the caller’s context' } as Message;
}

function taskOf(history: Message[]): Task {
  const status = { state: 'submitted' as const, timestamp: '2026-01-01T00:00:00Z' };
  return { id: 't', contextId: 'the caller’s context', status, history, artifacts: [] };
}

const idsOf = (messages: unknown[]): unknown[] => messages.map((each) => (each as Message).messageId);
const request = (messageId: string) => ({ message: { messageId } });

describe('the earlier messages in an offer', () => {
  it('precede the message that the run answers, and include the agent’s context', () => {
    const task = taskOf([message('one'), message('asked', 'Which?', 'agent'), message('two'), message('late')]);
    const messages = earlierMessages(task, request('two'), CONTEXT);
    expect(idsOf(messages)).toEqual(['one', 'asked']);
    expect(messages[1]).toMatchObject({ role: 'ROLE_AGENT', contextId: CONTEXT, taskId: 't' });
    expect(JSON.stringify(messages)).not.toContain('caller');
  });

  it('are empty for a first message', () => {
    expect(earlierMessages(taskOf([message('one')]), request('one'), CONTEXT)).toEqual([]);
  });

  it('are limited to the latest twenty', () => {
    const history = Array.from({ length: 30 }, (_, at) => message(`m${at}`));
    const messages = earlierMessages(taskOf([...history, message('now')]), request('now'), CONTEXT);
    expect(idsOf(messages)).toEqual(history.slice(10).map(({ messageId }) => messageId));
  });

  it('are limited to the latest messages within 256 KiB', () => {
    const history = ['a', 'b', 'c', 'd'].map((id) => message(id, 'x'.repeat(100_000)));
    const messages = earlierMessages(taskOf([...history, message('now')]), request('now'), CONTEXT);
    expect(idsOf(messages)).toEqual(['c', 'd']);
  });
});
