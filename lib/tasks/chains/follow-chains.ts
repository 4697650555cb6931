import { onNoticeGap, subscribe } from '../../platform/bus';
import { createWakeup } from '../../platform/runtime/abort';
import { isTerminal } from '../../protocol/a2a/core/model';
import { CHAIN_VIEW_INTERVAL_MS, CHAIN_VIEW_REPEAT_MS } from '../limits';
import type { ChainView } from '../schema-chains';
import { viewChains } from './chain-view';

/**
 * Yields the chains of these root tasks, then each chain that changes, at most once per CHAIN_VIEW_INTERVAL_MS, and an
 * unchanged one at most once per CHAIN_VIEW_REPEAT_MS while its tasks have events.
 * `isRoot` returns true for the reader's root tasks. Ends when `signal` aborts.
 */
export async function* followChains(
  principal: string,
  { rootTaskIds, isRoot, signal }: { rootTaskIds: string[]; isRoot: (taskId: string) => boolean; signal: AbortSignal },
): AsyncGenerator<ChainView[]> {
  const wakeup = createWakeup();
  const changed = new Set<string>();
  /** The subscriptions to the open delegated tasks, by task id. */
  const followed = new Map<string, () => void>();
  const markChanged = (rootTaskId: string): void => {
    changed.add(rootTaskId);
    wakeup.notify();
  };
  const known = new Set(rootTaskIds);
  const unsubscribes = [
    subscribe('chain', '*', (rootTaskId) => isRoot(rootTaskId) && markChanged(rootTaskId)),
    onNoticeGap(() => known.forEach(markChanged)),
  ];
  const follow = ({ rootTaskId, tasks }: ChainView): void => {
    known.add(rootTaskId);
    const onChange = (): void => markChanged(rootTaskId);
    const followTask = (taskId: string): void => {
      if (followed.has(taskId)) return;
      followed.set(taskId, subscribe('task', taskId, onChange));
      // It may have ended after the view was read and before the subscription.
      onChange();
    };
    followTask(rootTaskId);
    for (const { taskId, state } of tasks) {
      if (!isTerminal(state)) {
        followTask(taskId);
        continue;
      }
      followed.get(taskId)?.();
      followed.delete(taskId);
    }
  };
  let repetition: NodeJS.Timeout | undefined;
  const unchanged = new Set<string>();
  const repeatLater = (ids: string[]): void => {
    clearTimeout(repetition);
    for (const id of ids) unchanged.add(id);
    repetition = setTimeout(() => {
      unchanged.forEach(markChanged);
      unchanged.clear();
    }, CHAIN_VIEW_REPEAT_MS);
  };
  signal.addEventListener('abort', wakeup.notify, { once: true });
  try {
    // A reader may have loaded the thread before a change that preceded the subscriptions.
    const current = await viewChains(principal, rootTaskIds);
    for (const view of current) if (view.state !== 'over') follow(view);
    if (current.length > 0) yield current;
    let last = '';
    let lastAt = 0;
    while (!signal.aborted) {
      const woken = wakeup.arm();
      if (changed.size === 0) {
        await woken;
        continue;
      }
      const ids = [...changed];
      changed.clear();
      const views = await viewChains(principal, ids);
      views.forEach(follow);
      const text = JSON.stringify(views.map((view) => ({ ...view, readAt: null })));
      if (text !== last || performance.now() - lastAt >= CHAIN_VIEW_REPEAT_MS) {
        if (views.length > 0) yield views;
        lastAt = performance.now();
      } else {
        // Most events of a task leave its view unchanged. The reader may hold an older view from another response.
        repeatLater(ids);
      }
      last = text;
      await new Promise((resolve) => setTimeout(resolve, CHAIN_VIEW_INTERVAL_MS));
    }
  } finally {
    signal.removeEventListener('abort', wakeup.notify);
    clearTimeout(repetition);
    for (const unsubscribe of [...unsubscribes, ...followed.values()]) unsubscribe();
  }
}
