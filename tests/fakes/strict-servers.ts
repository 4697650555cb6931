import { randomUUID } from 'node:crypto';
import { errorsIn } from '../support/required-members';
import { type AgentCall, FakeAgent, failWith, type Serve, sendEvent, sendJson } from './fake-agent';

interface SendParams {
  message: { messageId: string; contextId?: string; parts: { text?: string }[] };
  configuration?: { acceptedOutputModes?: string[] };
}

const card = (url: string, name: string, more: object = {}): object => ({
  name,
  description: `An agent shaped like ${name}`,
  protocolVersion: '0.3.0',
  url: `${url}/`,
  version: '1.0.0',
  capabilities: { streaming: false },
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echoes', tags: ['echo'] }],
  ...more,
});

const textOf = (call: AgentCall): string =>
  (call.params as AgentCall['params'] & SendParams).message.parts.map(({ text }) => text ?? '').join('');

const contextOf = (call: AgentCall): string | undefined =>
  (call.params as AgentCall['params'] & SendParams).message.contextId;

const answer = (response: Parameters<Serve>[1], call: AgentCall, result: unknown): void =>
  sendJson(response, { jsonrpc: '2.0', id: call.id, result });

const agentMessage = (text: string): object => ({
  kind: 'message',
  messageId: randomUUID(),
  role: 'agent',
  parts: [{ kind: 'text', text }],
});

/**
 * pydantic/fasta2a: validates requests against its own schema, which requires `acceptedOutputModes` in any
 * configuration; responds to a send with the submitted task and is polled.
 */
export function startFasta2a(): Promise<FakeAgent> {
  const tasks = new Map<string, object>();
  const serve: Serve = (call, response) => {
    if (call.method === 'tasks/get') {
      const task = tasks.get(call.params.id ?? '');
      return task
        ? answer(response, call, task)
        : failWith(response, call, { code: -32001, message: 'Task not found' });
    }
    const faults = errorsIn('0.2.5', 'SendMessageRequest', {
      ...{ jsonrpc: '2.0', id: call.id, method: call.method },
      params: call.params,
    });
    if (faults.length > 0) return void response.writeHead(422).end(JSON.stringify({ detail: faults }));
    const ids = { id: randomUUID(), contextId: contextOf(call) ?? randomUUID(), kind: 'task' };
    const artifacts = [{ artifactId: randomUUID(), name: 'result', parts: [{ kind: 'text', text: textOf(call) }] }];
    tasks.set(ids.id, { ...ids, status: { state: 'completed' }, artifacts });
    answer(response, call, { ...ids, status: { state: 'submitted' } });
  };
  return FakeAgent.start((url) => card(url, 'fasta2a', { protocolVersion: '0.2.5' }), serve);
}

/**
 * LangGraph Server: a path per assistant; a context is a thread that it creates itself, and an unknown one is an error;
 * streams whole tasks when event streams are accepted. Files are rejected.
 */
export function startLangGraph(): Promise<FakeAgent> {
  const threads = new Set<string>();
  const serve: Serve = (call, response) => {
    if (call.path !== '/a2a/assistant-1') return void response.writeHead(404).end();
    const given = contextOf(call);
    if (given !== undefined && !threads.has(given)) {
      return failWith(response, call, { code: -32602, message: `Thread ${given} not found` });
    }
    const contextId = given ?? randomUUID();
    threads.add(contextId);
    const ids = { kind: 'task', id: randomUUID(), contextId };
    const artifacts = [
      { artifactId: randomUUID(), name: 'Assistant Response', parts: [{ kind: 'text', text: textOf(call) }] },
    ];
    const done = { ...ids, status: { state: 'completed' }, artifacts };
    if (call.method !== 'message/stream') return answer(response, call, done);
    if (!String(call.headers.accept).includes('text/event-stream')) return void response.writeHead(400).end();
    sendEvent(response, { jsonrpc: '2.0', id: call.id, result: { ...ids, status: { state: 'submitted' } } });
    sendEvent(response, { jsonrpc: '2.0', id: call.id, result: done });
    response.end();
  };
  const more = (url: string): object => ({ url: `${url}/a2a/assistant-1`, capabilities: { streaming: true } });
  return FakeAgent.start((url) => card(url, 'LangGraph', more(url)), serve);
}

/**
 * Azure AI Foundry: A2A 1.0 and 0.3 on one address, selected by `A2A-Version`; it responds with messages and creates
 * contexts.
 */
export function startFoundry(): Promise<FakeAgent> {
  const contexts = new Set<string>();
  const serve: Serve = (call, response) => {
    const is10 = call.headers['a2a-version'] === '1.0';
    if (call.method !== (is10 ? 'SendMessage' : 'message/send')) {
      return failWith(response, call, { code: -32601, message: 'Method not found' });
    }
    if (is10) {
      const faults = errorsIn('1.0.0', 'SendMessageRequest', call.params);
      if (faults.length > 0) return failWith(response, call, { code: -32602, message: faults.join('; ') });
    }
    const given = contextOf(call);
    if (given !== undefined && !contexts.has(given)) {
      return failWith(response, call, { code: -32602, message: 'The contextId is not one of this agent' });
    }
    const contextId = given ?? `conv_${randomUUID()}`;
    contexts.add(contextId);
    const text = textOf(call);
    if (!is10) return answer(response, call, { ...agentMessage(text), contextId });
    answer(response, call, { message: { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }], contextId } });
  };
  const interfaces = (url: string): object => ({
    protocolVersion: undefined,
    url: undefined,
    supportedInterfaces: [
      { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
  });
  return FakeAgent.start((url) => card(url, 'Azure AI Foundry', interfaces(url)), serve);
}

/**
 * google/adk-python's `to_a2a`: streams submitted, working, one artifact and a completed status, each with its own
 * metadata, and accepts the given context.
 */
export function startAdk(): Promise<FakeAgent> {
  const serve: Serve = (call, response) => {
    const faults = errorsIn('0.3.0', 'SendStreamingMessageRequest', {
      ...{ jsonrpc: '2.0', id: call.id, method: call.method },
      params: call.params,
    });
    if (faults.length > 0) return failWith(response, call, { code: -32602, message: faults.join('; ') });
    const ids = { taskId: randomUUID(), contextId: contextOf(call) ?? randomUUID() };
    const metadata = { adk_app_name: 'echo', adk_user_id: `A2A_USER_${ids.contextId}` };
    const say = (result: object): void => sendEvent(response, { jsonrpc: '2.0', id: call.id, result });
    const status = (state: string, final: boolean): void =>
      say({ kind: 'status-update', ...ids, status: { state, timestamp: new Date().toISOString() }, final, metadata });
    status('submitted', false);
    status('working', false);
    const artifact = { artifactId: randomUUID(), parts: [{ kind: 'text', text: textOf(call), metadata: null }] };
    say({ kind: 'artifact-update', ...ids, artifact, lastChunk: true });
    status('completed', true);
    response.end();
  };
  return FakeAgent.start((url) => card(url, 'ADK', { capabilities: { streaming: true } }), serve);
}
