import { type AgentRecord, findAgentById, iconUrlOf } from '../../catalog';
import { onNoticeGap, subscribe } from '../../platform/bus';
import { createWakeup } from '../../platform/runtime/abort';
import { isInterrupted, isTerminal } from '../../protocol/a2a/core/model';
import type { Money } from '../../protocol/ap2/schema-offer';
import { questionText } from '../../protocol/forms/describe-form';
import { CHAIN_VIEW_INTERVAL_MS, CHAIN_VIEW_REPEAT_MS } from '../limits';
import { type TaskOrder, tasksPort } from '../ports';
import type { AgentRef, ChainInterrupt, ChainTaskView, ChainView } from '../schema-chains';
import { type ApprovalRecord, findPendingApprovals } from '../store/chain-approvals';
import { type ChainRecord, type ChainTaskRecord, findChains, findChainTasks, findRoot } from '../store/chains';
import { findTask } from '../store/find-tasks';
import { loadTask } from '../store/task-events';

/** Returns the chains of a principal's root tasks. Root tasks without a chain are omitted. */
export async function viewChains(principal: string, rootTaskIds: string[]): Promise<ChainView[]> {
  if (rootTaskIds.length === 0) return [];
  // Before the reads: a view must not appear newer than a change that it does not contain.
  const readAt = new Date().toISOString();
  const chains = await findChains(principal, rootTaskIds);
  return Promise.all(chains.map((chain) => viewChain(chain, readAt)));
}

async function viewChain(chain: ChainRecord, readAt: string): Promise<ChainView> {
  const { rootTaskId, principal } = chain;
  const [tasks, approvals, root] = await Promise.all([
    findChainTasks(principal, rootTaskId),
    findPendingApprovals(principal, [rootTaskId]),
    findRoot(principal, rootTaskId),
  ]);
  const isOver = root === null || root.runNode === null;
  const pending = chain.stoppedAt || isOver ? [] : approvals;
  const orders = await tasksPort.operations().findOrders(principal, [rootTaskId, ...tasks.map(({ taskId }) => taskId)]);
  return {
    readAt,
    rootTaskId,
    state: stateOf(chain, { isOver, isWaiting: pending.length > 0 }),
    calls: chain.calls,
    maxCalls: chain.maxCalls,
    maxOpen: chain.maxOpen,
    endsAt: chain.endsAt.toISOString(),
    cost: totalOf(orders),
    approvals: await Promise.all(pending.map(viewApproval)),
    tasks: await Promise.all(tasks.map((task) => viewTask(principal, task, orders))),
  };
}

function stateOf(
  { stoppedAt }: ChainRecord,
  { isOver, isWaiting }: { isOver: boolean; isWaiting: boolean },
): ChainView['state'] {
  if (stoppedAt) return 'stopped';
  if (isOver) return 'over';
  return isWaiting ? 'waiting' : 'running';
}

async function viewApproval(approval: ApprovalRecord): Promise<ChainView['approvals'][number]> {
  const { id, reasons, content, contentHash, createdAt } = approval;
  const parts = content.map(({ base64: _, ...part }) => part);
  const [from, to] = await Promise.all([refOf(approval.fromAgentId), refOf(approval.agentId)]);
  return { id, reasons, from, to, parts, contentHash, createdAt: createdAt.toISOString() };
}

async function viewTask(principal: string, task: ChainTaskRecord, orders: TaskOrder[]): Promise<ChainTaskView> {
  const { taskId, parentTaskId, depth, state, requestText: text, createdAt, stateAt } = task;
  const [from, agent] = await Promise.all([refOf(task.fromAgentId), findAgentById(task.agentId)]);
  const own = orders.filter((order) => order.taskId === taskId);
  return {
    ...{ taskId, parentTaskId, depth, from, state, text },
    agent: { ...toRef(agent), iconUrl: agent && iconUrlOf(agent) },
    cost: totalOf(own),
    interrupt: isInterrupted(state) ? await interruptOf(principal, task, own) : null,
    createdAt: createdAt.toISOString(),
    updatedAt: stateAt.toISOString(),
  };
}

async function refOf(agentId: string): Promise<AgentRef> {
  return toRef(await findAgentById(agentId));
}

/** Returns the reference to an agent; a deleted agent has no name. */
function toRef(agent: AgentRecord | null): AgentRef {
  return { slug: agent?.slug ?? '', name: agent?.name ?? 'Deleted agent' };
}

/** Returns what the task requires from its user: payment of a cart that is still open, else a sign-in or an answer. */
async function interruptOf(
  principal: string,
  { taskId, agentId, state }: ChainTaskRecord,
  orders: TaskOrder[],
): Promise<ChainInterrupt | null> {
  const record = await findTask({ principal, agentId, delegation: null }, taskId);
  if (!record) return null;
  const { task } = await loadTask(record);
  const text = questionText(task.status.message?.parts ?? []);
  const order = orders.find(({ isOpen }) => isOpen);
  if (order) return { kind: 'cart', text, orderId: order.orderId };
  return { kind: state === 'auth-required' ? 'sign-in' : 'question', text, orderId: null };
}

/** Returns the paid amounts minus refunds, by currency. */
function totalOf(orders: TaskOrder[]): Money[] {
  const totals = new Map<string, number>();
  for (const { currency, paid } of orders) totals.set(currency, (totals.get(currency) ?? 0) + paid);
  return [...totals].filter(([, minor]) => minor > 0).map(([currency, minor]) => ({ currency, minor }));
}

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
