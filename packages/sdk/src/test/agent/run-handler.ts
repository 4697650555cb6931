import { settles } from '../../serve/agent-reply.js';
import type { Agents } from '../../serve/agents.js';
import { Answer } from '../../serve/answer.js';
import { createTurn, type Handler, statusEvent, type TurnOutput } from '../../serve/turn.js';
import type { Message, StreamEvent } from '../../wire.js';
import type { TaskLog } from './task-log.js';

const FAILED_TEXT = 'The agent could not finish this because of an internal error.';

/** The other agents of a handler that runs without a Parley: there are none. */
export const noAgents: Agents = {
  search: async () => ({ items: [], total: 0 }),
  send: async (agent) => {
    throw new Error(`${agent} cannot be called: this agent runs without a Parley`);
  },
};

/** A message that a handler answers, and the agents that it may hire. */
export interface HandlerTurn {
  message: Message;
  token: string;
  metadata: Record<string, unknown>;
  acceptedOutputModes: string[];
  agents: Agents;
}

/** Runs a handler on one message, as a worker of Parley does, and adds its events to the task. Never throws. */
export async function runHandler(
  handle: Handler,
  log: TaskLog,
  { turn, onError }: { turn: HandlerTurn; onError: (error: unknown) => void },
): Promise<void> {
  const { id: taskId, contextId } = log.task;
  const { signal } = log.abort;
  const history = log.task.history?.slice(0, -1) ?? [];
  const runId = `${taskId}:${history.length}`;
  const { message, token, metadata, acceptedOutputModes, agents } = turn;
  let question: StreamEvent | null = null;
  const context = createTurn(
    {
      ...{ runId, epoch: 1, token },
      request: { message, configuration: { acceptedOutputModes }, metadata },
      task: { id: taskId, contextId, history },
    },
    {
      signal,
      agents,
      onAsk: (asked) => {
        question = asked;
      },
    },
  );
  const answer = new Answer({ taskId, contextId }, runId);
  try {
    let isFirst = true;
    for await (const output of outputsOf(handle(context))) {
      if (signal.aborted) return;
      if (isFirst && typeof output === 'object' && 'message' in output) return log.add(output);
      isFirst = false;
      for (const event of answer.eventsOf(output)) {
        log.add(event);
        if (settles(event)) return;
      }
      if (question) return log.add(question);
    }
    if (!signal.aborted) log.add(question ?? answer.completed());
  } catch (error) {
    if (signal.aborted) return;
    onError(error);
    const text = error instanceof Error && error.name === 'TurnError' ? error.message : FAILED_TEXT;
    log.add(statusEvent({ taskId, contextId }, 'TASK_STATE_FAILED', text));
  }
}

async function* outputsOf(outputs: ReturnType<Handler>): AsyncGenerator<TurnOutput, void, undefined> {
  if (!(Symbol.asyncIterator in outputs)) {
    const output = await outputs;
    if (output !== undefined) yield output;
    return;
  }
  for await (const output of outputs) if (output !== undefined) yield output;
}
