import { randomUUID } from 'node:crypto';
import type { AgentRecord } from '../../catalog';
import { streamMessage, type TaskStream } from '../../gateway';
import type { Ctx, UserActor } from '../../platform/context';
import { extensionsToActivate } from '../../protocol/extensions';
import { authorizeCallsByUrl, callerOf } from '../../tokens';
import { findCallableAgent } from '../answers/find-callable-agent';
import { orderLinks } from '../answers/order-links';
import { AnswerReader } from '../answers/read-answer';
import { TOOL_WAIT_MS } from '../limits';
import { sendMessageInput, taskOutput } from '../schema-tools';
import { readTask } from './read-task';
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
  run: async ({ ctx, input, onProgress }) => {
    const user = await authorizeCallsByUrl({ ctx });
    const agent = await findCallableAgent(user, input.agent, 'agent');
    const stream = await send({ ...ctx, actor: callerOf(user, agent) }, agent, input);
    const answer = new AnswerReader(stream.taskId);
    await readUntil(stream, { answer, onProgress });
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

/** Reads the turn to its end, or for {@link TOOL_WAIT_MS}; the task continues. */
async function readUntil(
  { batches }: TaskStream,
  { answer, onProgress }: { answer: AnswerReader; onProgress: (text: string) => void },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), TOOL_WAIT_MS);
  });
  try {
    for (;;) {
      const next = await Promise.race([batches.next(), timeout]);
      if (next === 'timeout' || next.done) return;
      for (const item of next.value) {
        for (const { content, reasoning } of answer.read(item)) onProgress(reasoning ?? content ?? '');
      }
    }
  } finally {
    clearTimeout(timer);
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
