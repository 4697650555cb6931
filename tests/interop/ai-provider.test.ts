import { a2a } from 'a2a-ai-provider';
import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Connection, openConnection } from './connection';

let connection: Connection;

beforeAll(async () => {
  // The provider logs every event to the console; the AI SDK warns that this is a model of an earlier specification.
  vi.spyOn(console, 'log').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.spyOn(console, 'info').mockReturnValue(undefined);
  connection = await openConnection();
});

afterAll(async () => {
  await connection?.stop();
  vi.restoreAllMocks();
});

describe.each(['0.3', '1.0'])('a2a-ai-provider with an A2A %s agent', (version) => {
  const model = (): ReturnType<typeof a2a> => a2a(`${connection.agentUrl(version)}/.well-known/agent-card.json`);

  test('generates text', async () => {
    const { text, finishReason } = await generateText({ model: model(), prompt: 'hello', maxRetries: 0 });
    expect([text, finishReason]).toEqual(['hello', 'stop']);
  });

  test('streams text in the agent’s chunks', async () => {
    const answer = streamText({ model: model(), prompt: 'stream me', maxRetries: 0 });
    const pieces: string[] = [];
    for await (const piece of answer.textStream) pieces.push(piece);
    expect(pieces).toEqual(['st', 'ream me']);
    expect(await answer.finishReason).toBe('stop');
  });

  test('receives the agent’s question as text', async () => {
    const { text } = await generateText({ model: model(), prompt: 'ask', maxRetries: 0 });
    expect(text).toBe('What?');
  });

  test('stays in the same conversation', async () => {
    const contextId = crypto.randomUUID();
    const providerOptions = { a2a: { contextId } };
    const { response } = await generateText({ model: model(), prompt: 'hello', maxRetries: 0, providerOptions });
    expect(response.body).toMatchObject({ kind: 'task', contextId });
  });

  test('sends a file together with text', async () => {
    const file = { type: 'file' as const, data: new TextEncoder().encode('a,b\n1,2'), mediaType: 'text/csv' };
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }, file] }];
    const { text } = await generateText({ model: model(), messages, maxRetries: 0 });
    expect(text).toBe('hello');
  });
});

test('a2a-ai-provider reports a rejected call with Parley’s text', async () => {
  const model = a2a(`${connection.agentUrl('0.3')}/.well-known/agent-card.json`);
  const messages = [{ role: 'user' as const, content: [] }];
  await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toThrow(/parts/);
});
