import type { Fork } from './schema';
import type { Branch } from './store/branches';

/** A stretch of the thread that is read: the tasks of one context, up to the one in whose place the next stretch begins. */
export interface Segment {
  contextId: string;
  /** Null for the last one, which has no end. */
  until: string | null;
}

interface Versions {
  /** Context of the version that a conversation was first told in. */
  first: string;
  branches: Branch[];
}

/** The stretches that make up a version, from the beginning on; null for a context that is none of the conversation's. */
export function segmentsOf({ first, branches }: Versions, contextId: string): Segment[] | null {
  const segments: Segment[] = [];
  let at = contextId;
  let until: string | null = null;
  // Each branch begins in one that is older, so this ends; the count guards against rows that say otherwise.
  for (let step = 0; step <= branches.length; step++) {
    segments.unshift({ contextId: at, until });
    if (at === first) return segments;
    const branch = branches.find((one) => one.contextId === at);
    if (!branch) return null;
    at = branch.forkContextId;
    until = branch.forkTaskId;
  }
  return null;
}

/** A task that is shown, and the context it is of. */
interface ShownTask {
  id: string;
  contextId: string;
}

/** Where a new version begins when the message that began `task` is said differently: a version of a version is its sibling. */
export function forkAt(
  { branches }: Versions,
  task: ShownTask,
  firstTaskOf: (contextId: string) => string | null,
): Omit<Branch, 'contextId'> {
  const own = branches.find(({ contextId }) => contextId === task.contextId);
  if (own && firstTaskOf(task.contextId) === task.id) {
    return { forkContextId: own.forkContextId, forkTaskId: own.forkTaskId };
  }
  return { forkContextId: task.contextId, forkTaskId: task.id };
}

/** The messages of a thread that were said in several ways: at which of the tasks that are shown, and in which contexts. */
export function forksOf({ branches }: Versions, shown: ShownTask[]): Fork[] {
  const firsts = new Map<string, string>();
  for (const { id, contextId } of shown) if (!firsts.has(contextId)) firsts.set(contextId, id);
  const forkPoints = new Map<string, { contextId: string; taskId: string }>();
  for (const { forkContextId: contextId, forkTaskId: taskId } of branches)
    forkPoints.set(`${contextId} ${taskId}`, { contextId, taskId });
  return [...forkPoints.values()].flatMap(({ contextId, taskId }): Fork[] => {
    const others = branches.filter((one) => one.forkContextId === contextId && one.forkTaskId === taskId);
    const versions = [contextId, ...others.map((one) => one.contextId)];
    const own = shown.find(({ id }) => id === taskId);
    if (own) return [{ taskId, versions, at: 0 }];
    const at = others.findIndex((one) => firsts.has(one.contextId));
    const first = at < 0 ? undefined : firsts.get(others[at]?.contextId ?? '');
    return first === undefined ? [] : [{ taskId: first, versions, at: at + 1 }];
  });
}
