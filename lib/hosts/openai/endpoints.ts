import { type Endpoint, endpoint } from '../../http/endpoint';
import { openAiErrorOf } from '../../http/errors/error-formats';
import type { HttpRequest } from '../../http/handler';
import { idempotencyKeyOf } from '../../http/request-headers';
import { jsonResponse, respond } from '../../http/respond';
import { streamRoute } from '../../http/routes/json-route';
import { EventStream } from '../../http/sse';
import { ParleyError } from '../../platform/errors';
import { isId } from '../../protocol/a2a/core/model';
import {
  type Completion,
  chatRequestOf,
  completeChat,
  getAnswerFile,
  getModel,
  listModels,
  type RequestHeaders,
  responseRequestOf,
  toChunks,
  toCompletion,
  toResponse,
  toResponseEvents,
} from '..';
import {
  type ChatCompletionRequest,
  chatCompletionRequestSchema,
  chatCompletionSchema,
  modelListSchema,
  modelSchema,
} from '../schema-openai';
import { type ResponseRequest, responseRequestSchema, responseSchema } from '../schema-responses';

// OpenAI's API, as far as agents can support it: a model is an agent, a completion is one turn of a task.

const common = { errorFormat: 'openai' } as const;
const reading = { ...common, auth: { hostScope: 'agents:read' } } as const;
const calling = { ...common, auth: { hostScope: 'agents:call' } } as const;

const getModels = endpoint({
  ...reading,
  method: 'GET',
  path: '/v1/models',
  response: modelListSchema,
  docs: { tag: 'OpenAI-compatible', summary: 'List the agents that you use' },
  handle: async ({ ctx }) => ({ object: 'list', data: await listModels({ ctx }) }),
});

const getModelBySlug = endpoint({
  ...reading,
  method: 'GET',
  path: '/v1/models/:model',
  response: modelSchema,
  errors: ['agent_not_found'],
  docs: { tag: 'OpenAI-compatible', summary: 'Get an agent as a model' },
  handle: ({ ctx, params: { model = '' } }) => getModel({ ctx, input: { model } }),
});

const postChatCompletion = endpoint({
  method: 'POST',
  path: '/v1/chat/completions',
  response: chatCompletionSchema,
  errors: [
    'agent_not_found',
    'task_failed',
    'agent_unreachable',
    'agent_offline',
    'too_many_tasks',
    'too_many_streams',
  ],
  docs: {
    tag: 'OpenAI-compatible',
    summary: 'Send a message to an agent',
    description:
      'With `stream: true` the response is a stream of `chat.completion.chunk` events. The header `X-Parley-Context`, or an answer with its marker, continues a context.',
  },
  serve: streamRoute<ChatCompletionRequest>({
    ...calling,
    body: chatCompletionRequestSchema,
    handle: async ({ ctx, input, request }) => {
      const completion = await completeChat({ ctx, input: chatRequestOf(input, identifyingHeadersOf(request)) });
      if (!input.stream) return jsonResponse(await toCompletion(completion), { headers: headersOf(completion) });
      const chunks = toChunks(completion, {
        includeUsage: input.stream_options?.include_usage === true,
        errorOf: (error) => openAiErrorOf(error, ctx.requestId),
      });
      return streamOf(completion, chunks);
    },
  }),
});

const postResponse = endpoint({
  method: 'POST',
  path: '/v1/responses',
  response: responseSchema,
  errors: ['agent_not_found', 'not_found', 'agent_unreachable', 'agent_offline', 'too_many_tasks', 'too_many_streams'],
  docs: {
    tag: 'OpenAI-compatible',
    summary: 'Create a response of an agent',
    description:
      'With `stream: true` the response is a stream of events. `previous_response_id` continues its conversation, and answers the question that it asked; an answer with its marker does, too.',
  },
  serve: streamRoute<ResponseRequest>({
    ...calling,
    body: responseRequestSchema,
    handle: async ({ ctx, input, request }) => {
      const completion = await completeChat({ ctx, input: responseRequestOf(input, identifyingHeadersOf(request)) });
      if (!input.stream) return jsonResponse(await toResponse(completion, input), { headers: headersOf(completion) });
      return streamOf(completion, toResponseEvents(completion, input));
    },
  }),
});

/**
 * Reads the headers.
 * @throws {ParleyError} `invalid_request` for a context, and `invalid_params` for a key, in an invalid format
 */
function identifyingHeadersOf(request: HttpRequest): RequestHeaders {
  const contextId = request.headers.get('x-parley-context') ?? undefined;
  if (contextId !== undefined && !isId(contextId)) {
    const text = 'X-Parley-Context: expected the ID of a context, 1 to 255 characters.';
    throw new ParleyError('invalid_request', text, { data: { parameter: 'X-Parley-Context' } });
  }
  return { get: (name) => request.headers.get(name), contextId, idempotencyKey: idempotencyKeyOf(request) };
}

function headersOf({ contextId, taskId }: Completion): Record<string, string> {
  return { 'x-parley-context': contextId, 'x-parley-task': taskId };
}

function streamOf(completion: Completion, batches: AsyncGenerator<string[]>): EventStream {
  // The task continues.
  const onCancel = (): void => void completion.deltas.return(undefined);
  const stream = EventStream.of({ batches, encode: (text) => text, onCancel });
  Object.assign(stream.headers, headersOf(completion));
  return stream;
}

const getFile = endpoint({
  ...common,
  auth: { hostScope: 'tasks:read' },
  method: 'GET',
  path: '/v1/files/:id/content',
  mediaType: 'application/octet-stream',
  docs: { tag: 'OpenAI-compatible', summary: 'Download a file of an answer' },
  handle: async ({ ctx, params: { id = '' } }) => {
    const { bytes, name, mediaType } = await getAnswerFile({ ctx, input: { id } });
    return respond(200, bytes, {
      'content-type': /^[\w.+-]+\/[\w.+-]+$/.test(mediaType) ? mediaType : 'application/octet-stream',
      // Browsers must never render it, because the content comes from an agent.
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  },
});

export const openAiEndpoints: Endpoint[] = [getModels, getModelBySlug, postChatCompletion, postResponse, getFile];
