import { isTerminal } from '../../lib/protocol/a2a/core/model';
import type { ChainTaskView, ChainView } from '../../lib/tasks/schema-chains';

/** A delegated task with the tasks that its agent caused. */
export interface ChainNode {
  task: ChainTaskView;
  children: ChainNode[];
}

/** The tasks of a chain by caller, each level oldest first. A task without a known parent is at the top. */
export function toTree({ tasks }: ChainView): ChainNode[] {
  const nodes = new Map(tasks.map((task) => [task.taskId, { task, children: [] as ChainNode[] }]));
  const top: ChainNode[] = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(node.task.parentTaskId);
    (parent && parent !== node ? parent.children : top).push(node);
  }
  return top;
}

/** True while agents work or wait for the user. */
export function isOpenChain({ state }: ChainView): boolean {
  return state === 'running' || state === 'waiting';
}

export interface ChainSummary {
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

/** Stopping would lose something the user has paid for: an unfinished task with a price. */
export function losesPaidWork({ tasks }: ChainView): boolean {
  return tasks.some(({ state, cost }) => !isTerminal(state) && cost.some(({ minor }) => minor > 0));
}

/** The agents that wait for the user, in the order in which they are shown: decisions first. */
export function waitingFor({ approvals, tasks, ...chain }: ChainView): { agent: string; kind: WaitingKind }[] {
  if (chain.state === 'stopped' || chain.state === 'over') return [];
  return [
    ...approvals.map(({ from }) => ({ agent: from.name, kind: 'approval' as const })),
    ...tasks.flatMap(({ agent, interrupt }) => (interrupt ? [{ agent: agent.name, kind: interrupt.kind }] : [])),
  ];
}

export type WaitingKind = 'approval' | 'question' | 'sign-in' | 'cart';
