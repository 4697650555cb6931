import { randomUUID } from 'node:crypto';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

/** The response to a request of MCP. */
export interface McpBody {
  id: unknown;
  result?: McpResult;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

interface InputRequest {
  method: string;
  params: { mode: string; message: string; url?: string; requestedSchema?: object };
}

export interface McpResult extends Record<string, unknown> {
  resultType?: string;
  structuredContent?: Record<string, unknown>;
  content?: { type: string; text: string }[];
  isError?: boolean;
  inputRequests?: Record<string, InputRequest>;
  requestState?: string;
  taskId?: string;
  status?: string;
  result?: McpResult;
}

const revision = '2026-07-28';

/** Capabilities of clients. */
export const asks = { elicitation: { form: {}, url: {} } };
export const polls = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

interface Sending {
  person: Pick<Person, 'accessToken'>;
  /** Default `/mcp`. */
  path?: string;
  capabilities?: object;
  headers?: Record<string, string>;
}

/** Sends a body as it is. */
export function postMcp(
  url: string,
  body: unknown,
  { person, path = '/mcp', headers = {} }: Sending,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${person.accessToken}`,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A valid request of 2026-07-28, and its headers. */
export function modernRequest(method: string, params: Record<string, unknown>, capabilities: object = {}) {
  const name = params.name ?? params.taskId;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return {
    body: { jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    } as Record<string, string>,
  };
}

/** Sends a valid request of 2026-07-28. */
export async function callMcp(
  url: string,
  [method, params]: [string, Record<string, unknown>],
  sending: Sending,
): Promise<McpBody & { status: number }> {
  const { body, headers } = modernRequest(method, params, sending.capabilities);
  const response = await postMcp(url, body, { ...sending, headers: { ...headers, ...sending.headers } });
  return { status: response.status, ...((await response.json()) as McpBody) };
}

export interface McpFixture {
  parley: SharedParley;
  ada: Person;
  bob: Person;
  agent: ScriptedAgent;
  slug: string;
}

/** Two people, and an agent that one of them has listed. */
export async function startMcpFixture(): Promise<McpFixture> {
  const parley = await sharedParley();
  const [ada, bob] = await Promise.all([createPerson(parley.url, 'Ada'), createPerson(parley.url, 'Bob')]);
  const agent = await ScriptedAgent.start({ name: `Toolsmith ${randomUUID().slice(0, 6)}` });
  return { parley, ada, bob, agent, slug: await listAgent(parley.url, ada, { url: agent.url }) };
}

/** The agent writes these events of a new task, or of the one that the message continues. */
export function answerWith(agent: ScriptedAgent, ...events: ((taskId: string) => object)[]): void {
  agent.answer(({ received, result, end }) => {
    const taskId = received.params.message?.taskId ?? randomUUID();
    result(agent03.task(taskId, 'working'));
    for (const event of events) result(event(taskId));
    end();
  });
}

/** The texts that the agent received, in order. */
export function receivedTexts(agent: ScriptedAgent): (string | undefined)[] {
  return agent.received.flatMap(({ params }) => params.message?.parts.map(({ text }) => text) ?? []);
}
