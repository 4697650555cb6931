import { expect, test } from 'vitest';
import { foldTask } from '@/lib/protocol/a2a/core/events';
import { type AgentItem, readAgentResult } from '@/lib/protocol/a2a/dialects';
import { Normalizer } from '@/lib/tasks/log/normalizer';
import * as agent from '../../fakes/a2a03';

const now = new Date('2026-01-01T00:00:00.000Z');

function normalizer(upstreamTaskId?: string): Normalizer {
  return new Normalizer(foldTask({ id: 'ours', contextId: 'ctx', createdAt: now.toISOString() }, []), upstreamTaskId);
}

function item(value: object): AgentItem {
  const read = readAgentResult(value as never, () => 'made');
  if (!read) throw new Error('not an agent item');
  return read;
}

function feed(target: Normalizer, values: object[]): void {
  for (const value of values) target.accept(item(value), now);
}

function textOf(target: Normalizer): string {
  return target.task.artifacts
    .flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')))
    .join('');
}

test('the normalizer drops events for another task (SSE-2)', () => {
  const target = normalizer();
  feed(target, [agent.status('t1', 'working'), agent.status('t2', 'completed'), agent.artifact('t2', 'stolen')]);
  expect(target.task.status.state).toBe('working');
  expect(textOf(target)).toBe('');
});

test('the normalizer keeps metadata in tasks, artifacts and updates, without reserved members', () => {
  const target = normalizer();
  const metadata = { usage: { total_tokens: 3 }, 'parley.routing': 'forged' };
  const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] };
  const update = { kind: 'artifact-update', taskId: 't1', contextId: 'c', artifact, metadata };
  expect(target.accept(item(update), now)).toMatchObject([
    { type: 'artifact', metadata: { usage: { total_tokens: 3 } } },
  ]);
  target.accept(item({ ...agent.task('t1', 'completed'), metadata }), now);
  expect(target.task.metadata).toEqual({ usage: { total_tokens: 3 } });
});

test('the normalizer ignores events after the end (SSE-2)', () => {
  const target = normalizer();
  feed(target, [agent.status('t1', 'completed'), agent.status('t1', 'failed'), agent.artifact('t1', 'late')]);
  expect(target.task.status.state).toBe('completed');
  expect(textOf(target)).toBe('');
});

test('a message without a task is the whole reply', () => {
  const target = normalizer();
  expect(target.accept(item(agent.agentMessage('hello')), now)).toEqual([]);
  const events = target.finish(now);
  expect(events).toMatchObject([{ type: 'reply', message: { taskId: 'ours', contextId: 'ctx' } }]);
  expect(target.turnEnded).toBe(true);
});

test('a message within a task is its reply if the stream ends there', () => {
  const target = normalizer();
  feed(target, [agent.status('t1', 'working'), agent.agentMessage('the answer', 't1')]);
  expect(target.finish(now)).toMatchObject([{ type: 'status', status: { state: 'completed' } }]);
  expect(target.task.status.message?.parts).toEqual([{ kind: 'text', text: 'the answer' }]);
});

test('the normalizer adds only the content of a snapshot that is not yet stored', () => {
  const target = normalizer('t1');
  feed(target, [agent.artifact('t1', 'one '), agent.artifact('t1', 'two ', { append: true })]);
  const events = target.accept(item(agent.task('t1', 'completed', ['one two ', 'thr', 'ee'])), now);
  expect(events.map(({ type }) => type)).toEqual(['artifact', 'status']);
  expect(textOf(target)).toBe('one two three');
});

test('a repeated snapshot changes nothing', () => {
  const target = normalizer('t1');
  feed(target, [agent.task('t1', 'working', ['abc'])]);
  expect(target.accept(item(agent.task('t1', 'working', ['abc'])), now)).toEqual([]);
});

test('a repeated snapshot whose message has no id changes nothing (Orloj)', () => {
  let made = 0;
  const target = normalizer('t1');
  const raw = {
    id: 't1',
    status: { state: 'working', message: { role: 'agent', parts: [{ type: 'text', text: 'on it' }] } },
  };
  const next = (): AgentItem => {
    const read = readAgentResult(raw as never, () => `made-${made++}`, { protocolVersion: '0.1', binding: 'JSONRPC' });
    if (!read) throw new Error('not an agent item');
    return read;
  };
  expect(target.accept(next(), now)).toHaveLength(1);
  expect(target.accept(next(), now)).toEqual([]);
  const changed = { ...next(), state: 'completed' as const };
  expect(target.accept(changed as AgentItem, now)).toMatchObject([{ type: 'status', status: { state: 'completed' } }]);
});

test('a repeated question at the start of a follow-up is used only if no other event follows', () => {
  const follow = (): Normalizer => {
    const task = foldTask({ id: 'ours', contextId: 'ctx', createdAt: now.toISOString() }, []);
    return new Normalizer({ ...task, status: { state: 'working', timestamp: now.toISOString() } }, 't1', true);
  };
  const answered = follow();
  feed(answered, [agent.task('t1', 'input-required'), agent.status('t1', 'completed', 'thanks')]);
  expect(answered.task.status.state).toBe('completed');
  const asksAgain = follow();
  feed(asksAgain, [agent.task('t1', 'input-required')]);
  expect(asksAgain.finish(now)).toMatchObject([{ type: 'status', status: { state: 'input-required' } }]);
});

test('the normalizer reports an idle agent once, with the next status', () => {
  const target = normalizer('t1');
  feed(target, [agent.status('t1', 'working', 'thinking')]);
  target.markResumed();
  const after = target.accept(item(agent.status('t1', 'working', 'still thinking')), now);
  const end = target.accept(item(agent.status('t1', 'completed')), now);
  expect([after, end].map(([event]) => event?.type === 'status' && event.metadata)).toEqual([
    { 'parley.resumed': true },
    undefined,
  ]);
});
