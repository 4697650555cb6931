import { EventSourceParserStream } from 'eventsource-parser/stream';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { type Message, membersOf, readMessage } from './message.js';

/** One message to send. */
export interface Post {
  url: string;
  token: string;
  message: Message;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/**
 * Sends a message to an MCP server over Streamable HTTP; yields its response: no message, one message, or those of an
 * event stream.
 * @throws {Failure} if the server is unreachable, or refuses the request before it reads the message
 */
export async function* postMessage({ url, token, message, headers, signal }: Post): AsyncGenerator<Message, void> {
  const response = await reach(url, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal,
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream') && response.body) {
    yield* eventsOf(response.body);
    return;
  }
  const answer = readMessage(await response.text());
  if (answer?.jsonrpc === '2.0') yield answer;
  else if (!response.ok) throw refusalOf(response.status, answer);
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Failure(EXIT.unavailable, `${new URL(url).origin} does not respond.`);
  }
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
  const text = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  for await (const { data } of text.pipeThrough(new EventSourceParserStream())) {
    const message = readMessage(data);
    if (message) yield message;
  }
}

/** Returns the text of a response without a message: from problem JSON, if there is any. */
function refusalOf(status: number, answer: Message | null): Failure {
  const { title } = membersOf(answer);
  const text = typeof title === 'string' ? title : `Parley responded with HTTP ${status}.`;
  if (status !== 401) return new Failure(EXIT.failed, text);
  return new Failure(EXIT.signedOut, text, 'Sign in with: parley auth login');
}
