import { cancelTask, type TaskStream, type TaskTurn } from '../../gateway';
import type { AbortSignalLike } from '../../platform/abort';
import { endsTurn } from '../../protocol/a2a/core/model';
import { authorizeCallsByUrl, callerOf } from '../../tokens';
import { findCallableAgent } from '../answers/find-callable-agent';
import { orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import { callAgent, streamFromAgent } from '../answers/send-to-agent';
import { TOOL_WAIT_MS } from '../limits';
import { sendMessageInput, taskOutput } from '../schema-tools';
import { toTaskResult } from './task-result';
import { tool } from './tool';

export const sendMessageTool = tool({
  name: 'send_message',
  title: 'Send a message to an agent',
  description:
    'Sends a message to an agent and returns its answer. If the state is input-required, the agent asks a question: ask the person, then call this tool again with task_id. If the state is working, call get_task later. Offers and sign-ins come as links that the person must open: never pay or enter secrets for them.',
  input: sendMessageInput,
  output: taskOutput,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async ({ ctx, input, onProgress, canceled }) => {
    const user = await authorizeCallsByUrl({ ctx });
    const agent = await findCallableAgent(user, input.agent, 'agent');
    const callerCtx = { ...ctx, actor: callerOf(user, agent) };
    const { message, context_id: contextId, task_id, idempotency_key: idempotencyKey } = input;
    const sent = {
      parts: [{ kind: 'text' as const, text: message }],
      contextId,
      taskId: task_id,
      idempotencyKey,
    };
    const {
      taskId,
      contextId: answeredIn,
      answer,
    } = onProgress
      ? await readStream(await streamFromAgent(callerCtx, agent, sent), { onProgress, canceled })
      : readTurn(await callAgent(callerCtx, agent, { ...sent, until: { waitMs: TOOL_WAIT_MS, signal: canceled } }));
    if (canceled.aborted && !endsTurn(answer.state)) {
      // The client has not received the task's id, so nothing else could stop it.
      const signal = AbortSignal.timeout(TOOL_WAIT_MS);
      answer.readTask(await cancelTask({ ctx: { ...callerCtx, signal }, input: { agent, taskId } }));
    }
    return toTaskResult({
      taskId,
      contextId: answeredIn,
      agent: agent.slug,
      state: answer.state,
      text: answer.failure?.message ?? answer.content,
      links: answer.hasData || task_id !== undefined ? await orderLinks(user, taskId) : '',
    });
  },
});

interface Reading {
  taskId: string;
  contextId: string;
  answer: AnswerReader;
}

function readTurn({ taskId, contextId, items }: TaskTurn): Reading {
  const answer = new AnswerReader(taskId);
  for (const item of items) answer.read(item);
  return { taskId, contextId, answer };
}

/** Reads the turn to its end, for {@link TOOL_WAIT_MS}, or until the call is canceled; the task continues. */
async function readStream(
  { taskId, contextId, batches }: TaskStream,
  { onProgress, canceled }: { onProgress: (text: string) => void; canceled: AbortSignalLike },
): Promise<Reading> {
  const answer = new AnswerReader(taskId);
  const stopped = new Promise<null>((resolve) => {
    const stop = (): void => resolve(null);
    if (canceled.aborted) stop();
    canceled.addEventListener('abort', stop);
    AbortSignal.timeout(TOOL_WAIT_MS).addEventListener('abort', stop);
  });
  try {
    for (;;) {
      const next = await Promise.race([batches.next(), stopped]);
      if (next === null || next.done) return { taskId, contextId, answer };
      for (const item of next.value) {
        for (const { content, reasoning } of answer.read(item)) onProgress(reasoning ?? content ?? '');
      }
    }
  } finally {
    // Not awaited: it ends when the pending read does.
    void batches.return(undefined);
  }
}
