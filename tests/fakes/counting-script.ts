import * as agent03 from './a2a03';
import type { ScriptedAgent } from './scripted-agent';

interface Count {
  taskId: string;
  pieces: string[];
  pauseMs: number;
  /** How many pieces it tells before it waits for `goOn`. */
  holdAt?: number;
  /** Answers `tasks/cancel` with A2A's TaskNotCancelableError. */
  refusesCancel?: boolean;
  /** Confirms a cancel and says nothing of it in its stream. */
  deafToCancel?: boolean;
}

/**
 * Makes a scripted agent one with a memory: from its first call on it tells the pieces of an artifact whoever listens, can
 * be subscribed to and asked, and stops when it is cancelled.
 */
export function countOn(agent: ScriptedAgent, count: Count): { told: () => string; goOn: () => void } {
  const { taskId, pieces, pauseMs, refusesCancel = false, deafToCancel = false } = count;
  let { holdAt = Number.POSITIVE_INFINITY } = count;
  const listeners = new Set<() => void>();
  const told: string[] = [];
  let state: 'working' | 'completed' | 'canceled' = 'working';
  let timer: ReturnType<typeof setInterval> | undefined;

  function tell(): void {
    if (told.length >= holdAt && state === 'working') return;
    const piece = pieces[told.length];
    if (piece === undefined || state === 'canceled') {
      clearInterval(timer);
      if (state === 'working') state = 'completed';
    } else {
      told.push(piece);
    }
    for (const hear of listeners) hear();
  }

  const task = (): object => agent03.task(taskId, state, [...told]);
  agent.answer(async ({ received, result, json, end, gone }) => {
    timer ??= setInterval(tell, pauseMs);
    if (received.method === 'tasks/cancel' && refusesCancel) {
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32002, message: 'I never stop' } });
      return;
    }
    if (received.method === 'tasks/cancel' && !deafToCancel) state = 'canceled';
    if (received.method === 'tasks/get' || received.method === 'tasks/cancel') {
      const canceled = received.method === 'tasks/cancel' ? agent03.task(taskId, 'canceled', [...told]) : task();
      json({ jsonrpc: '2.0', id: received.id, result: canceled });
      return;
    }
    result(task());
    let heard = told.length;
    const hear = (): void => {
      for (; heard < told.length; heard += 1) {
        result(agent03.artifact(taskId, told[heard] ?? '', { append: heard > 0 }));
      }
      if (state === 'working') return;
      result(agent03.status(taskId, state));
      end();
    };
    listeners.add(hear);
    await gone;
    listeners.delete(hear);
  });
  return {
    told: () => told.join(''),
    goOn() {
      holdAt = Number.POSITIVE_INFINITY;
    },
  };
}
