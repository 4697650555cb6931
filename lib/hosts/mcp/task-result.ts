import { env } from '../../platform/env';
import type { TaskState } from '../../protocol/a2a/core/model';
import type { TaskOutput } from '../schema-tools';
import type { ToolResult } from './tool';
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
}

/** What the model does next, by state. */
const advice: Partial<Record<TaskState, string>> = {
  submitted: 'The agent has not finished. Call get_task with this task_id later.',
  working: 'The agent has not finished. Call get_task with this task_id later.',
  'input-required': 'The agent asks the person. Call send_message with their answer and this task_id.',
};

function signInAdvice(agent: string): string {
  return `The agent needs a sign-in. Ask the person to open ${env().APP_URL}/agents/${agent}.`;
}

/** A task as the result of a tool. A task that failed is an error of the tool, not of the call. */
export function toTaskResult(answer: TaskAnswer): ToolResult<TaskOutput> {
  const { taskId, contextId, agent, state, text, links } = answer;
  const lines = [
    `State: ${state}. task_id: ${taskId}. context_id: ${contextId}.`,
    state === 'auth-required' ? signInAdvice(agent) : (advice[state] ?? ''),
    text === '' ? '' : markUntrusted(agent, text),
    links === '' ? '' : `Only the person can approve a payment, on this page: ${links}`,
  ];
  return {
    text: lines.filter((line) => line !== '').join('\n\n'),
    structured: { task_id: taskId, context_id: contextId, agent, state, text: boundedText(text) },
    isError: state === 'failed' || state === 'rejected',
  };
}
