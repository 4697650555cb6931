import type { AgentRecord } from '../../catalog';
import type { AbortSignalLike } from '../../platform/abort';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import { isInterrupted, type Message } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { callAgent } from '../upstream/call-agent';
import { upstreamTaskIdOf } from '../upstream/upstream-task-id';
import { agentTokenForTask } from './agent-token-for-task';
import { latestTurnOf } from './latest-turn';
import { extensionsForCall, type RunState } from './run-state';
import { hasTaskReferences, toCallerReferences } from './task-references';

/** The agent's own view of a task; other tasks are named by our ids. */
export type Snapshot = AgentItem & { type: 'task' };

interface AgentTaskRequest {
  record: TaskRecord;
  agent: AgentRecord;
  requestId: string;
  /** What the run that this is for asks the agent to activate; what the card requires is asked for in any case. */
  extensions?: ExtensionUse;
  signal: AbortSignalLike;
  /** Looks by itself: kept out of the owner's log, and says nothing about whether the agent is down. */
  quiet?: boolean;
}

/**
 * Asks the agent for its task; null when it has no id there or answers with something else.
 * @throws what {@link callAgent} throws
 */
export async function fetchAgentTask(input: AgentTaskRequest): Promise<Snapshot | null> {
  const { record, agent, requestId, signal, quiet } = input;
  const taskId = upstreamTaskIdOf(agent, record);
  if (taskId === null) return null;
  const request = { op: 'get' as const, taskId };
  const extensions = extensionsForCall(input, request);
  const token = await agentTokenForTask(record, agent);
  const probe = quiet ? (): void => undefined : undefined;
  let found: Snapshot | null = null;
  for await (const batch of await callAgent({ agent, request, extensions, requestId, token, signal, probe }))
    found ??= batch.find((item) => item.type === 'task') ?? null;
  if (found?.taskId !== taskId) return null;
  const items = hasTaskReferences(found) ? await toCallerReferences([found], record) : [found];
  return items.find((item) => item.type === 'task') ?? null;
}

/**
 * True when the agent still waits for the reply of this turn, of which nothing was heard: then it did not take it. A run
 * without the send (its node died) knows that only when the question is still the same.
 */
export async function isAgentStillWaiting(state: RunState): Promise<boolean> {
  const { run, signal } = state;
  const { message, responded: heard, interruptedStatus: waiting } = latestTurnOf((await loadTask(run.record)).events);
  if (!message || heard || !waiting) return false;
  const { record, agent, requestId, extensions } = run;
  // An agent that cannot be asked now is asked again by whoever takes the run up.
  const found = await fetchAgentTask({ record, agent, requestId, extensions, signal }).catch(() => null);
  if (!found || !isInterrupted(found.state)) return false;
  if (found.history.some(({ messageId }) => messageId === message.messageId)) return false;
  return run.send !== undefined || (found.state === waiting.state && isSameQuestion(found.message, waiting.message));
}

function isSameQuestion(theirs: Message | null, ours: Message | undefined): boolean {
  if (!theirs || !ours) return true;
  return theirs.messageId === ours.messageId || JSON.stringify(theirs.parts) === JSON.stringify(ours.parts);
}
