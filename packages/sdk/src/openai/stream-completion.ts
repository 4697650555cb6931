import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Fetch } from '../request.js';
import { TurnError } from '../serve/turn.js';
import type { ChatMessage } from './context-memory.js';
import { cutOff, errorOf, refusalOf, unreachable } from './errors.js';

/** A model and its endpoint. */
export interface ModelEndpoint {
  /** Base URL of an OpenAI-compatible API: `https://api.example/v1`. */
  url: string;
  model: string;
  apiKey?: string;
  /** Additional members of each request, such as `temperature`; `undefined` omits a member that is sent by default. */
  parameters?: Record<string, unknown>;
  /** Defaults to the global `fetch`. */
  fetch?: Fetch;
}

/** The content of one event. */
export interface Delta {
  content?: string;
  reasoning?: string;
  /** OpenAI's `usage`; some servers repeat it in each event. */
  usage?: object;
}

/** The members that are read. Servers omit members without a value, or set them to null. */
interface Chunk {
  choices?: { delta?: Content | null; message?: Content | null; finish_reason?: string | null }[] | null;
  usage?: object | null;
  error?: unknown;
}

interface Content {
  content?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
}

/**
 * Requests a streamed completion; also accepts a response that is not streamed.
 * @throws {TurnError} with a message for the caller; {Error} with a message only for the agent's operator
 */
export async function* streamCompletion(
  options: ModelEndpoint,
  { messages, signal }: { messages: ChatMessage[]; signal: AbortSignal },
): AsyncGenerator<Delta, void, undefined> {
  const response = await requestCompletion(options, { messages, signal });
  if (!response.ok) throw await refusalOf(response);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
    yield* deltasOf(parse(await response.text()));
    return;
  }
  let isComplete = false;
  const events = eventsOf(response.body, signal);
  for await (const data of events) {
    if (data === '[DONE]') return;
    // Servers keep streams open with their own events; chunks are objects.
    if (!data.startsWith('{')) continue;
    const chunk = parse(data);
    isComplete ||= (chunk.choices ?? []).some(({ finish_reason: reason }) => reason);
    yield* deltasOf(chunk);
  }
  if (!isComplete) throw cutOff();
}

/** Sends the request of a completion. @throws {TurnError} if the API cannot be reached; the reason of the signal */
export async function requestCompletion(
  { url, model, apiKey, parameters, fetch = globalThis.fetch }: ModelEndpoint,
  { messages, signal }: { messages: ChatMessage[]; signal: AbortSignal },
): Promise<Response> {
  const body = { model, messages, stream: true, stream_options: { include_usage: true }, ...parameters };
  try {
    return await fetch(`${url.replace(/\/+$/, '')}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // A redirect would send the key to another server.
      redirect: 'error',
      signal,
    });
  } catch (cause) {
    throw signal.aborted ? signal.reason : unreachable(cause);
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string, void> {
  const text = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw signal.aborted ? signal.reason : cutOff(cause);
      });
      if (done) return;
      yield value.data.trim();
    }
  } finally {
    // Rejects if the stream has failed; the read has already thrown that error.
    await reader.cancel().catch(() => undefined);
  }
}

function* deltasOf({ choices, usage, error }: Chunk): Generator<Delta, void> {
  if (error) throw errorOf(error);
  if (usage) yield { usage };
  const [choice] = choices ?? [];
  const { content, ...thoughts } = choice?.delta ?? choice?.message ?? {};
  const reasoning = thoughts.reasoning_content ?? thoughts.reasoning;
  if (reasoning) yield { reasoning };
  if (content) yield { content };
  if (choice?.finish_reason === 'content_filter') throw new TurnError('The model withheld its answer.');
}

function parse(text: string): Chunk {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch (cause) {
    throw new Error('The model’s server sent an event that is not JSON.', { cause });
  }
}
