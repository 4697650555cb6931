import { hasCode } from '../../platform/errors';
import { encodeSse } from '../../platform/http-client/sse';
import type { AgentResponse, ResponseRequest } from '../schema-responses';
import type { Completion } from './complete-chat';
import { messageIdOf, responseIdOf } from './read-input';

type Request = Pick<ResponseRequest, 'instructions' | 'previous_response_id'>;

/** Returns the whole answer as a response. A task that fails is a response with the status `failed`. */
export async function toResponse(completion: Completion, request: Request): Promise<AgentResponse> {
  const head = headOf(completion, request);
  try {
    for await (const _ of completion.deltas);
    return ended(head, completion);
  } catch (cause) {
    return failed(head, { completion, cause });
  }
}

/**
 * Yields the answer as the events of a response, numbered from 0. The last is `response.completed` or
 * `response.failed`.
 */
export async function* toResponseEvents(completion: Completion, request: Request): AsyncGenerator<string[]> {
  let sequence = 0;
  const event = (type: string, members: object): string =>
    encodeSse({ event: type, data: JSON.stringify({ type, sequence_number: sequence++, ...members }) });
  const head = headOf(completion, request);
  const place = { item_id: messageIdOf(completion), output_index: 0, content_index: 0 };
  yield [
    event('response.created', { response: head }),
    event('response.in_progress', { response: head }),
    event('response.output_item.added', { output_index: 0, item: messageOf(completion, 'in_progress', []) }),
    event('response.content_part.added', { ...place, part: textPart('') }),
  ];
  try {
    for await (const deltas of completion.deltas) {
      const texts = deltas.flatMap(({ content }) => (content === undefined ? [] : [content]));
      yield texts.map((delta) => event('response.output_text.delta', { ...place, delta, logprobs: [] }));
    }
  } catch (cause) {
    yield [event('response.failed', { response: failed(head, { completion, cause }) })];
    return;
  }
  const { content } = completion.answer;
  yield [
    event('response.output_text.done', { ...place, text: content, logprobs: [] }),
    event('response.content_part.done', { ...place, part: textPart(content) }),
    event('response.output_item.done', {
      output_index: 0,
      item: messageOf(completion, 'completed', [textPart(content)]),
    }),
    event('response.completed', { response: ended(head, completion) }),
  ];
}

function headOf(completion: Completion, request: Request): AgentResponse {
  const { createdAt, model } = completion;
  return {
    id: responseIdOf(completion),
    object: 'response',
    created_at: Math.floor(createdAt.getTime() / 1000),
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: false,
    previous_response_id: request.previous_response_id ?? null,
    temperature: null,
    tool_choice: 'none',
    tools: [],
    top_p: null,
    usage: null,
  };
}

type Message = AgentResponse['output'][number];

function ended(head: AgentResponse, completion: Completion): AgentResponse {
  const message = messageOf(completion, 'completed', [textPart(completion.answer.content)]);
  return { ...head, status: 'completed', output: [message], usage: usageOf(completion) };
}

/**
 * Returns the failed response.
 * @throws the cause, unless it is the reason why the task failed
 */
function failed(head: AgentResponse, { completion, cause }: { completion: Completion; cause: unknown }): AgentResponse {
  if (!hasCode(cause, 'task_failed')) throw cause;
  const error = { code: 'server_error' as const, message: cause.message };
  return { ...head, status: 'failed', error, usage: usageOf(completion) };
}

function usageOf({ answer: { usage } }: Completion): AgentResponse['usage'] {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.total,
  };
}

function messageOf(completion: Completion, status: Message['status'], content: Message['content']): Message {
  return { type: 'message', id: messageIdOf(completion), role: 'assistant', status, content };
}

function textPart(text: string): Message['content'][number] {
  return { type: 'output_text', text, annotations: [] };
}
