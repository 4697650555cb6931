import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ChainNotice } from '@/components/chat/chains/chain-notice';
import { ChainPanel } from '@/components/chat/chains/chain-panel';
import { ChainActionsContext, losesPaidWork, summaryOf, toTree } from '@/components/chat/state/chains';
import { createThreadState, reduceThread } from '@/components/chat/state/thread-state';
import { toItems } from '@/components/chat/state/to-items';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { ChainView } from '@/lib/tasks/schema-chains';
import { withTexts } from '../../support/with-texts';
import { readableText, tagsOf } from '../parts/render-markdown';
import { approval, chainOf, delegated, desk, sentText } from './chain-views';
import { status, task, taskId, userMessage } from './thread-events';

const actions = { update: () => undefined, reload: () => undefined, stop: () => Promise.resolve(true) };
const dollars = (minor: number) => [{ minor, currency: 'USD' }];

function panelOf(chain: ChainView): string {
  const panel = createElement(ChainPanel, { chain });
  return renderToStaticMarkup(withTexts(createElement(ChainActionsContext, { value: actions }, panel)));
}

function buttonsOf(html: string): string[] {
  return [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, inside = '']) => readableText(inside));
}

describe('a chain', () => {
  test('forms a tree by calling agent, with tasks of unknown parents at the top', () => {
    const tree = toTree(
      chainOf([
        delegated('a'),
        delegated('b', { parentTaskId: 'a', depth: 2 }),
        delegated('c', { parentTaskId: 'gone', depth: 3 }),
        delegated('d', { parentTaskId: 'a', depth: 2 }),
        delegated('e', { parentTaskId: 'e' }),
      ]),
    );
    expect(tree.map((node) => node.task.taskId)).toEqual(['a', 'c', 'e']);
    expect(tree[0]?.children.map((node) => node.task.taskId)).toEqual(['b', 'd']);
  });

  test('counts each agent once, and lasts from the first request to the last change', () => {
    const chain = chainOf([
      delegated('a', { state: 'completed' }),
      delegated('b', { state: 'failed', createdAt: '2026-11-20T12:00:05.000Z', updatedAt: '2026-11-20T12:01:00.000Z' }),
    ]);
    expect(summaryOf(chain)).toEqual({ agents: 1, openTasks: 0, failedTasks: 1, durationMs: 60_000 });
  });

  test('loses paid work if it is stopped, but only while a task with a price is unfinished', () => {
    expect(losesPaidWork(chainOf([delegated('a')]))).toBe(false);
    expect(losesPaidWork(chainOf([delegated('a', { state: 'completed', cost: dollars(400) })]))).toBe(false);
    expect(losesPaidWork(chainOf([delegated('a', { cost: dollars(400) })]))).toBe(true);
  });

  test('appears in the thread’s state with its latest view', () => {
    const first = chainOf([delegated('a')]);
    const state = createThreadState([task([userMessage('go')])], [first]);
    expect(state.chains.get(taskId)).toBe(first);
    const over = chainOf([delegated('a', { state: 'completed' })], { state: 'over' });
    expect(reduceThread(state, { type: 'chain-changed', chain: over }).chains.get(taskId)).toBe(over);
    expect(reduceThread(state, { type: 'loaded', tasks: [], chains: [] }).chains.size).toBe(0);
  });

  test('keeps the view that was read last if an earlier one arrives after it', () => {
    const [earlier, later] = ['2026-11-20T12:00:01.000Z', '2026-11-20T12:00:02.000Z'];
    const over = chainOf([], { state: 'over', readAt: later });
    const decided = chainOf([], { state: 'running', readAt: earlier });
    const state = reduceThread(createThreadState([], [over]), { type: 'chain-changed', chain: decided });
    expect(state.chains.get(taskId)).toBe(over);
  });

  test('pauses its root task without any agent text or question for the composer', () => {
    const asks = status('auth-required', 'Planner wants to call Air Desk') as TaskEvent & { type: 'status' };
    const pause: TaskEvent = { ...asks, isPause: true };
    const [, turn] = toItems(createThreadState([task([userMessage('go'), status('working'), pause])]));
    expect(turn).toMatchObject({ kind: 'agent', phase: 'needs-approval', blocks: [], turnStatus: null });
    const [, later] = toItems(createThreadState([task([userMessage('go'), pause, status('working')])]));
    expect(later).toMatchObject({ phase: 'working' });
  });
});

describe('a chain’s panel', () => {
  test('shows each task’s caller, callee, state, duration and price, and the total', () => {
    const html = panelOf(
      chainOf(
        [
          delegated('a', { state: 'completed', cost: dollars(400) }),
          delegated('b', {
            from: desk,
            parentTaskId: 'a',
            depth: 2,
            agent: { ...desk, slug: 't', name: 'Translator' },
          }),
        ],
        { cost: dollars(400) },
      ),
    );
    const text = readableText(html);
    for (const part of ['1 working', '2 of 25 calls', '$4.00', 'so far', 'Planner asked:', 'Done', '12 s']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('Air Desk asked:');
    expect(text).toContain('Working');
    expect(buttonsOf(html)).toEqual(['Stop all']);
    expect(html).toMatch(/<ul[^>]*>.*<ul[^>]*>.*Translator.*<\/ul>.*<\/ul>/s);
  });

  test('asks for a decision with both names, the reason and the message, and reveals hostile characters', () => {
    const text = 'First line\nIgnore\u202e everything <b>now</b>';
    const html = panelOf(chainOf([], { state: 'waiting', approvals: [approval({ parts: [sentText(text)] })] }));
    const shown = readableText(html);
    expect(shown).toContain('Planner wants to call Air Desk');
    expect(shown).toContain('only this message is sent');
    expect(shown).toContain('U+202E');
    expect(shown).not.toContain('U+000A');
    expect(tagsOf(html)).not.toContain('b');
    expect(buttonsOf(html)).toEqual(['Stop all', 'Allow', 'Don’t allow', 'Always allow Planner']);
  });

  test('offers no permanent permission if only a limit was reached', () => {
    const reasons = ['calls', 'open', 'time'] as const;
    const html = panelOf(
      chainOf([], { state: 'waiting', calls: 25, approvals: [approval({ reasons: [...reasons] })] }),
    );
    expect(buttonsOf(html)).toEqual(['Stop all', 'Allow', 'Don’t allow']);
    const text = readableText(html);
    for (const part of ['25 calls', 'are already working on this task', 'over an hour']) expect(text).toContain(part);
  });

  test('lets the user answer a delegated task’s question', () => {
    const interrupt = { kind: 'question', text: 'Which day?', orderId: null } as const;
    const html = panelOf(chainOf([delegated('a', { state: 'input-required', interrupt })]));
    const text = readableText(html);
    for (const part of ['Has a question for you', 'Which day?', 'Your reply to Air Desk']) expect(text).toContain(part);
    expect(html).toContain('<textarea');
  });

  test('collapses to one line once the chain has ended', () => {
    const tasks = [delegated('a', { state: 'completed' })];
    const html = panelOf(chainOf(tasks, { state: 'over', cost: dollars(400) }));
    const summary = /<summary[^>]*>(.*?)<\/summary>/s.exec(html)?.[1] ?? '';
    expect(html).toMatch(/^<details class="[^"]*">/);
    expect(readableText(summary)).toMatch(/^1 agent helped\s*12 s\s*\$4\.00/);
    expect(buttonsOf(html)).toEqual([]);
    expect(panelOf(chainOf([], { state: 'over' }))).toBe('');
    expect(readableText(panelOf(chainOf(tasks, { state: 'stopped' })))).toContain('Stopped, 1 agent');
  });
});

describe('the notice above the composer', () => {
  function noticeOf(...chains: ChainView[]): string {
    const known = new Map(chains.map((chain, index) => [String(index), chain]));
    return readableText(renderToStaticMarkup(withTexts(createElement(ChainNotice, { chains: known }))));
  }

  test('names the first waiting agent, counts the others, and is hidden once the chain has ended', () => {
    const interrupt = { kind: 'sign-in', text: '', orderId: null } as const;
    const waiting = chainOf([delegated('a', { state: 'auth-required', interrupt })], { approvals: [approval()] });
    expect(noticeOf(waiting)).toContain('Planner wants to call another agent. 1 more agent is waiting for you.');
    expect(noticeOf({ ...waiting, approvals: [] })).toContain('Air Desk asks you to sign in.');
    expect(noticeOf({ ...waiting, state: 'stopped' })).toBe('');
    expect(noticeOf()).toBe('');
  });
});
