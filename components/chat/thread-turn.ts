import { isRunning } from './is-running';
import type { ThreadTurn } from './message-queue';
import type { ThreadState } from './thread-state';
import type { ThreadItem } from './to-items';
import type { Interrupt } from './use-interrupt';

/** The party that acts next. */
export function turnOf(
  items: readonly ThreadItem[],
  { tasks }: Pick<ThreadState, 'tasks'>,
  interrupt: Interrupt | null,
): ThreadTurn {
  const turns = items.filter((item) => item.kind === 'agent');
  // A task has a state before it has an item.
  const isWorking = tasks.some(({ state }) => state === 'submitted' || state === 'working');
  if (isWorking || turns.some(({ phase }) => isRunning(phase))) return 'agent';
  if (interrupt) return interrupt.kind === 'asks' ? 'question' : 'authorization';
  const phase = turns.at(-1)?.phase;
  return phase === 'stopped' || phase === 'unanswered' ? 'stopped' : 'user';
}
