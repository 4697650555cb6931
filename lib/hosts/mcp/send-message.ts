import { authorizeCallsByUrl } from '../../tokens';
import { findCallableAgent } from '../answers/find-callable-agent';
import { keyFor } from '../client-identity';
import { sendMessageInput, taskOutput } from '../schema-tools';
import { runTurn } from './run-turn';
import { tool } from './tool';
import { marketToolNames } from './tool-names';

export const sendMessageTool = tool({
  name: marketToolNames.send,
  title: 'Send a message to an agent',
  description:
    'Sends a message to an agent and returns its answer. If the state is input-required, the agent asks a question: ask the person, then call this tool again with task_id. If the state is working, call get_task later. Offers and sign-ins come as links that the person must open: never pay or enter secrets for them.',
  scope: 'agents:call',
  input: sendMessageInput,
  output: taskOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async ({ input, ...call }) => {
    const user = await authorizeCallsByUrl(call);
    const agent = await findCallableAgent(user, input.agent, 'agent');
    const { message, context_id: contextId, task_id: taskId, idempotency_key: key } = input;
    const idempotencyKey = keyFor(call.endUser, key);
    const parts = [{ kind: 'text' as const, text: message }];
    return runTurn(call, { user, agent, message: { parts, contextId, taskId, idempotencyKey } });
  },
});
