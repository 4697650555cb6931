import { randomUUID } from 'node:crypto';
import type { AgentRecord } from '../../catalog';
import { cancelTask, streamMessage, type TaskStream } from '../../gateway';
import type { Ctx, UserActor } from '../../platform/context';
import { extensionsToActivate } from '../../protocol/extensions';
import { authorizeCallsByUrl, callerOf } from '../../tokens';
import { findCallableAgent } from '../answers/find-callable-agent';
import { orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import { readTask } from '../answers/read-task';
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
    const stream = await send(callerCtx, agent, input);
    const answer = new AnswerReader(stream.taskId);
    if ((await readUntil(stream, { answer, onProgress, canceled })) === 'canceled') {
      // The client has not received the task's id, so nothing else could stop it.
      const signal = AbortSignal.timeout(TOOL_WAIT_MS);
      await cancelTask({ ctx: { ...callerCtx, signal }, input: { agent, taskId: stream.taskId } });
    }
    return toTaskResult(await resultOf(ctx, { user, agent, stream, answer }));
  },
});

function send(
  ctx: Parameters<typeof streamMessage>[0]['ctx'],
  agent: AgentRecord,
  input: { message: string; context_id?: string; task_id?: string; idempotency_key?: string },
): Promise<TaskStream> {
  const { message, context_id: contextId, task_id: taskId, idempotency_key: idempotencyKey } = input;
  return streamMessage({
    ctx,
    input: {
      agent,
      request: {
        op: 'send',
        streaming: true,
        message: { messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text: message }], contextId, taskId },
        configuration: { returnImmediately: false },
      },
      idempotencyKey,
      extensions: { requested: extensionsToActivate(agent.card), activated: [] },
    },
  });
}

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

async function resultOf(
  ctx: Ctx,
  { user, agent, stream, answer }: { user: UserActor; agent: AgentRecord; stream: TaskStream; answer: AnswerReader },
): Promise<Parameters<typeof toTaskResult>[0]> {
  const { task } = await readTask(ctx, user, stream.taskId);
  return {
    taskId: stream.taskId,
    contextId: stream.contextId,
    agent: agent.slug,
    state: task.status.state,
    text: answer.failure?.message ?? answer.content,
    links: await orderLinks(user, stream.taskId),
  };
}
