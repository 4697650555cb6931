import { useTranslations } from 'next-intl';
import { type Dispatch, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ChainView } from '../../lib/tasks/schema-chains';
import { announce } from '../ui/overlays/announcer';
import { toast } from '../ui/overlays/toast';
import { readChain, stopChain } from './api';
import type { ChainActions } from './chain-actions';
import { isOpenChain, summaryOf } from './chain-tree';
import type { ThreadAction } from './thread-state';
import { useProblem } from './use-problem';

/** The actions of the user on the chains of a thread. */
export function useChainActions(dispatch: Dispatch<ThreadAction>): ChainActions {
  const stopAll = useChainStop();
  const update = useCallback((chain: ChainView) => dispatch({ type: 'chain-changed', chain }), [dispatch]);
  const reload = useCallback(
    // The next change brings the state too.
    (rootTaskId: string) => void readChain(rootTaskId).then(update, () => undefined),
    [update],
  );
  const stop = useCallback(
    async (rootTaskId: string) => {
      dispatch({ type: 'stopping', taskId: rootTaskId });
      const stopped = await stopAll(rootTaskId);
      if (stopped) reload(rootTaskId);
      else dispatch({ type: 'stop-failed', taskId: rootTaskId });
      return stopped;
    },
    [dispatch, reload, stopAll],
  );
  return useMemo(() => ({ update, reload, stop }), [update, reload, stop]);
}

/** Stops all work of a chain. Resolves to whether it was accepted; a failure is reported to the user. */
export function useChainStop(): (rootTaskId: string) => Promise<boolean> {
  const t = useTranslations('chat.useChains');
  const problemOf = useProblem();
  return useCallback(
    async (rootTaskId) => {
      try {
        await stopChain(rootTaskId);
        return true;
      } catch (error) {
        toast({ tone: 'danger', text: t('notStopped', { problem: problemOf(error) }) });
        return false;
      }
    },
    [problemOf, t],
  );
}

/** Announces pending decisions, pending questions and the end of the work, each once. */
export function useChainAnnouncements(chains: ReadonlyMap<string, ChainView>): void {
  const t = useTranslations('chat.useChains');
  const previous = useRef(chains);
  useEffect(() => {
    const before = previous.current;
    previous.current = chains;
    if (before === chains) return;
    for (const chain of chains.values()) {
      const known = before.get(chain.rootTaskId);
      if (known !== chain) announceChanges(known, chain);
    }

    function announceChanges(known: ChainView | undefined, chain: ChainView): void {
      const asked = new Set(known?.approvals.map(({ id }) => id));
      for (const { id, from, to } of chain.approvals) {
        if (!asked.has(id)) announce(t('approval', { from: from.name, to: to.name }));
      }
      for (const { taskId, agent, interrupt } of chain.tasks) {
        const earlier = known?.tasks.find((task) => task.taskId === taskId)?.interrupt;
        if (interrupt && interrupt.kind !== earlier?.kind) announce(t(interrupt.kind, { agent: agent.name }));
      }
      if (known && isOpenChain(known) && chain.state === 'over')
        announce(t('over', { count: summaryOf(chain).agents }));
    }
  }, [chains, t]);
}
