import { env } from '../../platform/runtime/env';
import type { TaskState } from '../../protocol/a2a/core/model';
import type { TaskOutput } from '../schema-tools';
import type { ToolResult } from './tool';
import { agentToolName, marketToolNames } from './tool-names';
import { boundedText, markUntrusted } from './untrusted-text';

interface TaskAnswer {
  taskId: string;
  contextId: string;
  agent: string;
  state: TaskState;
  /** The agent's answer as Markdown. */
  text: string;
  /** Our own links, as Markdown. */
  links: string;
  /** The slug of the only agent that the called URL serves; undefined if it serves all of them. */
  server: string | undefined;
}

/** The instruction for the next step of the model. */
function adviceOn({ state, agent, server }: TaskAnswer): string {
  const { poll, send } = marketToolNames;
  switch (state) {
    case 'submitted':
    case 'working':
      return `The agent has not finished. Call ${server ? agentToolName(server, poll) : poll} with this task_id later.`;
    case 'input-required':
      return `The agent asks the person. Call ${server ? 'the tool of the skill' : send} with their answer and this task_id.`;
    case 'auth-required':
      return `The agent needs a sign-in. Ask the person to open ${env().APP_URL}/agents/${agent}.`;
    default:
      return '';
  }
}

/** A task as the result of a tool. A task that failed is an error of the tool, not of the call. */
export function toTaskResult(answer: TaskAnswer): ToolResult<TaskOutput> {
  const { taskId, contextId, agent, state, text, links } = answer;
  const lines = [
    `State: ${state}. task_id: ${taskId}. context_id: ${contextId}.`,
    adviceOn(answer),
    text === '' ? '' : markUntrusted(agent, text),
    links === '' ? '' : `Only the person can approve a payment, on this page: ${links}`,
  ];
  return {
    text: lines.filter((line) => line !== '').join('\n\n'),
    structured: { task_id: taskId, context_id: contextId, agent, state, text: boundedText(text) },
    isError: state === 'failed' || state === 'rejected',
  };
}
