import type { AgentRecord } from '../../catalog';
import { env } from '../../platform/runtime/env';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Message, type Part, type Task } from '../../protocol/a2a/core/model';
import type { AgentItem } from '../../protocol/a2a/dialects';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import { ownerOf } from '../authorization';
import { tailTask } from '../log/tail-task';
import { throwIfRefused } from '../log/turn';
import type { BuiltInTurn } from '../sources/built-in-source';
import { findPosition } from '../store/chains';
import { findContextTasks, findTask } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { loadTask } from '../store/task-events';
import { type HiredTask, hiringCaller, toAbortSignal } from './hire-agent';

/** A built-in agent's task, and the agent that it has hired. */
interface Passing {
  record: TaskRecord;
  agent: AgentRecord;
}

/**
 * Yields the output of a hired agent as output of the turn's task, until the hired agent's task ends. A question does
 * not end it.
 * @throws {ParleyError} the reason why the hired agent did not receive or accept the message
 */
export async function* followHired(
  turn: Pick<BuiltInTurn, 'record' | 'signal'>,
  { agent, hired }: { agent: AgentRecord; hired: HiredTask },
): AsyncGenerator<AgentItem[]> {
  const passing = { record: turn.record, agent };
  const translate = await translatorOf(passing);
  let { after } = hired;
  if (after === null) {
    const found = await loadHired(passing, hired.taskId);
    if (!found) return;
    yield [translate.task(found.task)];
    if (isTerminal(found.task.status.state)) return;
    after = found.seq;
  }
  for await (const batch of tailTask({ principal: turn.record.principal, id: hired.taskId }, after, {
    signal: toAbortSignal(turn.signal),
  })) {
    for (const { event } of batch) throwIfRefused(event);
    const items = batch.flatMap(({ event }) => translate.event(event));
    if (items.length > 0) yield items;
  }
}

/** Returns the state of a hired agent's task as that of the built-in agent's task; null if it no longer exists. */
export async function readHired(passing: Passing, taskId: string): Promise<(AgentItem & { type: 'task' }) | null> {
  const found = await loadHired(passing, taskId);
  return found && (await translatorOf(passing)).task(found.task);
}

/** Yields the earlier tasks of the turn's conversation, newest first. Each is read separately. */
export async function* readEarlierTasks({ record }: Pick<BuiltInTurn, 'record'>, limit: number): AsyncGenerator<Task> {
  const { principal, agentId, delegation, contextId, id } = record;
  const records = await findContextTasks({ principal, agentId, delegation }, contextId);
  const at = records.findIndex((task) => task.id === id);
  const earlier = (at < 0 ? records : records.slice(0, at)).reverse().slice(0, limit);
  for (const task of earlier) yield (await loadTask(task)).task;
}

/** Reads an earlier task of the turn's caller at the same agent; null if it no longer exists. */
export async function readEarlierTask({ record }: Pick<BuiltInTurn, 'record'>, taskId: string): Promise<Task | null> {
  const { principal, agentId, delegation } = record;
  const found = await findTask({ principal, agentId, delegation }, taskId);
  return found && (await loadTask(found)).task;
}

/** Returns a built-in agent's own task. */
export async function readOwnTask(record: TaskRecord): Promise<Task> {
  return (await loadTask(record)).task;
}

async function loadHired({ record, agent }: Passing, taskId: string): Promise<{ task: Task; seq: number } | null> {
  const found = await findTask(ownerOf(hiringCaller({ record }, agent)), taskId);
  return found && loadTask(found);
}

interface Translator {
  task: (task: Task) => AgentItem & { type: 'task' };
  event: (event: TaskEvent) => AgentItem[];
}

/**
 * Returns a function that translates output of the hired agent. Offers stay in its task, where they are checked and
 * paid; this task only references them.
 */
async function translatorOf({ record, agent }: Passing): Promise<Translator> {
  const { id: taskId } = record;
  const rootTaskId = (await findPosition(record))?.rootTaskId ?? taskId;
  const note = `${agent.name} sent payment details. View them here: ${env().APP_URL}/chat/chains/${rootTaskId}`;
  const toParts = (parts: Part[]): Part[] => parts.map((part) => (isOffer(part) ? { kind: 'text', text: note } : part));
  const toMessage = (message: Message): Message => {
    return { ...message, parts: toParts(message.parts), taskId, contextId: undefined, referenceTaskIds: undefined };
  };
  return {
    task: ({ status, artifacts, history }) => ({
      type: 'task',
      taskId,
      state: status.state,
      message: status.message ? toMessage(status.message) : null,
      artifacts: artifacts.map((artifact) => ({ ...artifact, parts: toParts(artifact.parts) })),
      history,
    }),
    event: (event) => {
      switch (event.type) {
        case 'message':
          return [];
        case 'artifact': {
          const { append, lastChunk } = event;
          const artifact = { ...event.artifact, parts: toParts(event.artifact.parts) };
          return [{ type: 'artifact', taskId, artifact, append, lastChunk }];
        }
        case 'reply':
          return [{ type: 'status', taskId, state: 'completed', message: toMessage(event.message) }];
        case 'status': {
          const { state, message } = event.status;
          const passed = message ? toMessage(message) : null;
          // The caller's task is already in progress.
          const shown = state === 'submitted' ? 'working' : state;
          return [{ type: 'status', taskId, state: shown, message: passed, metadata: event.metadata }];
        }
      }
    },
  };
}

function isOffer(part: Part): boolean {
  return part.kind === 'data' && detectAp2Object(part.data) !== null;
}
