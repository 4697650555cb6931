import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FakeAgent } from '../fakes/fake-agent';
import { startAdk, startFasta2a, startFoundry, startLangGraph } from '../fakes/strict-servers';
import { type Connection, connectTo, createPerson, listAgent, message03, message10, rpc } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;

beforeAll(async () => {
  parley = await sharedParley();
});

interface Part {
  text?: string;
}

/** The agent's texts, from any member. */
function textOf(result: unknown): string {
  const { task, message, ...bare } = result as Record<string, unknown>;
  const response = (task ?? message ?? bare) as { parts?: Part[]; artifacts?: { parts: Part[] }[] };
  const parts = response.parts ?? response.artifacts?.flatMap((artifact) => artifact.parts) ?? [];
  return parts.map(({ text }) => text ?? '').join('');
}

// Sources of the shapes: pydantic/fasta2a (schema.py), docs.langchain.com/langsmith/server-a2a,
// learn.microsoft.com/azure/foundry/agents/how-to/enable-agent-to-agent-endpoint, google/adk-python (to_a2a).
describe.each([
  ['fasta2a', startFasta2a],
  ['LangGraph Server', startLangGraph],
  ['Azure AI Foundry', startFoundry],
  ['ADK', startAdk],
])('an agent that behaves like %s', (_, start) => {
  let agent: FakeAgent;
  let connection: Connection;

  beforeAll(async () => {
    agent = await start();
    const person = await createPerson(parley.url);
    connection = await connectTo(parley.url, person, await listAgent(parley.url, person, { url: agent.url }));
  });

  afterAll(() => agent?.stop());

  test.each([
    ['message/send', message03],
    ['SendMessage', message10],
  ] as const)('responds to a %s that contains only the message', async (method, message) => {
    const { body } = await rpc(connection, method, message('hello there'));
    expect(body.error).toBeUndefined();
    expect(textOf(body.result)).toBe('hello there');
  });

  test('responds to the second message of a conversation', async () => {
    const first = (await rpc(connection, 'message/send', message03('one'))).body.result as { contextId: string };
    const { body } = await rpc(connection, 'message/send', message03('two', { contextId: first.contextId }));
    expect(body.error).toBeUndefined();
    expect([textOf(body.result), (body.result as { contextId: string }).contextId]).toEqual(['two', first.contextId]);
  });
});
