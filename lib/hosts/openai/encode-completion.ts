import { encodeSse } from '../../platform/http-client/sse';
import type { AnswerDelta, AnswerReader } from '../answers/read-answer';
import type { ChatCompletion, Usage } from '../schema-openai';
import type { Completion } from './complete-chat';

/**
 * Returns the whole answer as a chat completion.
 * @throws {ParleyError} `task_failed`
 */
export async function toCompletion(completion: Completion): Promise<ChatCompletion> {
  const { answer, deltas } = completion;
  for await (const _ of deltas);
  const { content, reasoning } = answer;
  return {
    ...headOf(completion),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          ...(reasoning !== '' && { reasoning_content: reasoning }),
          refusal: null,
        },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: toUsage(answer),
  };
}

interface ChunkOptions {
  /** True if a last chunk contains the usage (`stream_options.include_usage`), which is null in all others. */
  includeUsage: boolean;
  /** The error object of a failed answer. */
  errorOf: (error: unknown) => object;
}

/**
 * Yields the answer as server-sent `chat.completion.chunk` events, ended by `[DONE]`; an answer that fails ends with an
 * error event instead.
 */
export async function* toChunks(
  completion: Completion,
  { includeUsage, errorOf }: ChunkOptions,
): AsyncGenerator<string[]> {
  const head = { ...headOf(completion), object: 'chat.completion.chunk' };
  const usageMember = includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finishReason: 'stop' | null = null): string =>
    eventOf({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...usageMember,
    });
  yield [chunk({ role: 'assistant', content: '' })];
  try {
    for await (const deltas of completion.deltas) yield deltas.map((delta) => chunk(toDelta(delta)));
  } catch (error) {
    yield [eventOf(errorOf(error))];
    return;
  }
  yield [
    chunk({}, 'stop'),
    ...(includeUsage ? [eventOf({ ...head, choices: [], usage: toUsage(completion.answer) })] : []),
    encodeSse({ data: '[DONE]' }),
  ];
}

function headOf({ taskId, createdAt, model }: Completion): { id: string; created: number; model: string } {
  return { id: `chatcmpl-${taskId}`, created: Math.floor(createdAt.getTime() / 1000), model };
}

function toUsage({ usage }: AnswerReader): Usage {
  return { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.total };
}

/** Returns the delta. `reasoning_content` is not part of OpenAI's API; hosts display it as progress. */
function toDelta({ content, reasoning }: AnswerDelta): object {
  return reasoning === undefined ? { content } : { reasoning_content: reasoning };
}

function eventOf(value: object): string {
  return encodeSse({ data: JSON.stringify(value) });
}
