import { useTranslations } from 'next-intl';
import { createContext, type Dispatch, useCallback, useEffect, useMemo, useRef } from 'react';
import { isTerminal } from '../../../lib/protocol/a2a/core/model';
import type { ChainTaskView, ChainView } from '../../../lib/tasks/schema-chains';
import { announce } from '../../ui/overlays/announcer';
import { toast } from '../../ui/overlays/toast';
import { readChain, stopChain } from './api';
import type { ThreadAction } from './thread-state';
import { useProblem } from './use-problem';

/** Returns the actions of the user on the chains of a thread. */
export function useChainActions(dispatch: Dispatch<ThreadAction>): ChainActions {
  const stopAll = useChainStop();
  const update = useCallback((chain: ChainView) => dispatch({ type: 'chain-changed', chain }), [dispatch]);
  const reload = useCallback(
    // The next change also contains the state.
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

/**
 * Returns a function that stops all work of a chain and resolves to true if that was accepted. A failure is reported to
 * the user.
 */
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

/** A delegated task with the tasks that its agent caused. */
export interface ChainNode {
  task: ChainTaskView;
  children: ChainNode[];
}

/** Returns the tasks of a chain by caller, each level oldest first. A task without a known parent is at the top. */
export function toTree({ tasks }: ChainView): ChainNode[] {
  const nodes = new Map(tasks.map((task) => [task.taskId, { task, children: [] as ChainNode[] }]));
  const top: ChainNode[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.task.parentTaskId);
    (parent && parent !== node ? parent.children : top).push(node);
  }
  return top;
}

/** Returns true while agents work or wait for the user. */
export function isOpenChain({ state }: ChainView): boolean {
  return state === 'running' || state === 'waiting';
}

interface ChainSummary {
  /** Different agents that were hired. */
  agents: number;
  /** Tasks that are not finished. */
  openTasks: number;
  failedTasks: number;
  /** The time from the first request to the last change, ms. */
  durationMs: number;
}

export function summaryOf({ tasks }: ChainView): ChainSummary {
  const starts = tasks.map(({ createdAt }) => Date.parse(createdAt));
  const ends = tasks.map(({ updatedAt }) => Date.parse(updatedAt));
  return {
    agents: new Set(tasks.map(({ agent }) => agent.slug)).size,
    openTasks: tasks.filter(({ state }) => !isTerminal(state)).length,
    failedTasks: tasks.filter(({ state }) => state === 'failed' || state === 'rejected').length,
    durationMs: tasks.length === 0 ? 0 : Math.max(0, Math.max(...ends) - Math.min(...starts)),
  };
}

/** Returns true if stopping would lose work for which the user has paid: an unfinished task with a price. */
export function losesPaidWork({ tasks }: ChainView): boolean {
  return tasks.some(({ state, cost }) => !isTerminal(state) && cost.some(({ minor }) => minor > 0));
}

/** Returns the agents that wait for the user, in the order in which they are displayed, decisions first. */
export function waitingFor({ approvals, tasks, ...chain }: ChainView): { agent: string; kind: WaitingKind }[] {
  if (chain.state === 'stopped' || chain.state === 'over') return [];
  return [
    ...approvals.map(({ from }) => ({ agent: from.name, kind: 'approval' as const })),
    ...tasks.flatMap(({ agent, interrupt }) => (interrupt ? [{ agent: agent.name, kind: interrupt.kind }] : [])),
  ];
}

type WaitingKind = 'approval' | 'question' | 'sign-in' | 'cart';

export interface ChainActions {
  /** Applies the state of a response. */
  update: (chain: ChainView) => void;
  /** Reads the latest state from the server. */
  reload: (rootTaskId: string) => void;
  /** Stops all work of a chain. Resolves to true if that was accepted. A failure is reported to the user. */
  stop: (rootTaskId: string) => Promise<boolean>;
}

/** Null if a thread is read-only. */
export const ChainActionsContext = createContext<ChainActions | null>(null);
