import * as agent03 from './a2a03';
import type { ScriptedAgent } from './scripted-agent';

interface Count {
  taskId: string;
  pieces: string[];
  pauseMs: number;
  /** Chunks sent before it waits for `release`. */
  holdAt?: number;
  /** Answers `tasks/cancel` with A2A's TaskNotCancelableError. */
  refusesCancel?: boolean;
  /** Confirms a cancel without an event in its stream. */
  deafToCancel?: boolean;
  /** Deletes the task when it ends: `tasks/get` then answers TaskNotFoundError. */
  forgetsEnded?: boolean;
}

/**
 * Makes a scripted agent stateful: from its first call it emits an artifact's chunks to any subscriber, supports
 * subscribing and `tasks/get`, and stops when canceled.
 */
export function countOn(agent: ScriptedAgent, count: Count): { emitted: () => string; release: () => void } {
  const { taskId, pieces, pauseMs, refusesCancel = false, deafToCancel = false, forgetsEnded = false } = count;
  let { holdAt = Number.POSITIVE_INFINITY } = count;
  const listeners = new Set<() => void>();
  const emitted: string[] = [];
  let state: 'working' | 'completed' | 'canceled' = 'working';
  let timer: ReturnType<typeof setInterval> | undefined;

  function emit(): void {
    if (emitted.length >= holdAt && state === 'working') return;
    const piece = pieces[emitted.length];
    if (piece === undefined || state === 'canceled') {
      clearInterval(timer);
      if (state === 'working') state = 'completed';
    } else {
      emitted.push(piece);
    }
    for (const notify of listeners) notify();
  }

  const task = (): object => agent03.task(taskId, state, [...emitted]);
  agent.answer(async ({ received, result, json, end, gone }) => {
    timer ??= setInterval(emit, pauseMs);
    if (received.method === 'tasks/cancel' && refusesCancel) {
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32002, message: 'I never stop' } });
      return;
    }
    if (received.method === 'tasks/cancel' && !deafToCancel) state = 'canceled';
    if (received.method === 'tasks/get' && forgetsEnded && state !== 'working') {
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32001, message: 'Gone' } });
      return;
    }
    if (received.method === 'tasks/get' || received.method === 'tasks/cancel') {
      const canceled = received.method === 'tasks/cancel' ? agent03.task(taskId, 'canceled', [...emitted]) : task();
      json({ jsonrpc: '2.0', id: received.id, result: canceled });
      return;
    }
    result(task());
    let delivered = emitted.length;
    const notify = (): void => {
      for (; delivered < emitted.length; delivered += 1) {
        result(agent03.artifact(taskId, emitted[delivered] ?? '', { append: delivered > 0 }));
      }
      if (state === 'working') return;
      result(agent03.status(taskId, state));
      end();
    };
    listeners.add(notify);
    await gone;
    listeners.delete(notify);
  });
  return {
    emitted: () => emitted.join(''),
    release() {
      holdAt = Number.POSITIVE_INFINITY;
    },
  };
}
