import { cancelTask, type TaskStream } from '../../gateway';
import { authorizeCallsByUrl, callerOf } from '../../tokens';
import { findCallableAgent } from '../answers/find-callable-agent';
import { orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import { sendToAgent } from '../answers/send-to-agent';
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
    const stream = await sendToAgent(callerCtx, agent, {
      parts: [{ kind: 'text', text: message }],
      contextId,
      taskId: task_id,
      idempotencyKey,
    });
    const { taskId } = stream;
    const answer = new AnswerReader(taskId);
    if ((await readUntil(stream, { answer, onProgress, canceled })) === 'canceled') {
      // The client has not received the task's id, so nothing else could stop it.
      const signal = AbortSignal.timeout(TOOL_WAIT_MS);
      answer.readTask(await cancelTask({ ctx: { ...callerCtx, signal }, input: { agent, taskId } }));
    }
    return toTaskResult({
      taskId,
      contextId: stream.contextId,
      agent: agent.slug,
      state: answer.state,
      text: answer.failure?.message ?? answer.content,
      links: await orderLinks(user, taskId),
    });
  },
});

/** Reads the turn to its end, for {@link TOOL_WAIT_MS}, or until the call is canceled; the task continues. */
async function readUntil(
  { batches }: TaskStream,
  { answer, onProgress, canceled }: { answer: AnswerReader; onProgress: (text: string) => void; canceled: AbortSignal },
): Promise<'ended' | 'timeout' | 'canceled'> {
  const waiting = AbortSignal.any([canceled, AbortSignal.timeout(TOOL_WAIT_MS)]);
  const stopped = new Promise<'stopped'>((resolve) => {
    if (waiting.aborted) resolve('stopped');
    waiting.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  try {
    for (;;) {
      const next = await Promise.race([batches.next(), stopped]);
      if (next === 'stopped') return canceled.aborted ? 'canceled' : 'timeout';
      if (next.done) return 'ended';
      for (const item of next.value) {
        for (const { content, reasoning } of answer.read(item)) onProgress(reasoning ?? content ?? '');
      }
    }
  } finally {
    // Not awaited: it ends when the pending read does.
    void batches.return(undefined);
  }
}
