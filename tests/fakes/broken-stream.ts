import { answerWith, FakeAgent, failWith, type Serve, sendEvent, sendJson } from './fake-agent';

/** An agent whose streams break after the first chunk of every message; the task continues and can be subscribed to. */
export interface BreakingAgent {
  agent: FakeAgent;
  /** Number of messages received. */
  sends: () => number;
}

const pieces = ['one ', 'two ', 'three'];

/** The same behavior in A2A 0.1 over JSON-RPC, with Society AI's method name for subscribing. */
export async function startBreaking01(): Promise<BreakingAgent> {
  let emitted = 0;
  const artifact = (at: number): object => ({
    artifact: { index: 0, parts: [{ type: 'text', text: pieces[at] }], append: at > 0 },
  });
  const serve: Serve = (call, response) => {
    const { id } = call.params;
    const frame = (event: object): void =>
      sendEvent(response, { jsonrpc: '2.0', id: call.id, result: { id, ...event } });
    if (call.method === 'tasks/sendSubscribe') {
      frame({ status: { state: 'working' }, final: false });
      frame(artifact(0));
      emitted = 1;
      setImmediate(() => response.destroy());
    } else if (call.method === 'tasks/get') {
      const parts = pieces.slice(0, emitted).map((text) => ({ type: 'text', text }));
      const state = emitted < pieces.length ? 'working' : 'completed';
      answerWith(response, call, { id, status: { state }, artifacts: [{ index: 0, parts }] });
    } else if (call.method === 'task/resubscribe') {
      for (; emitted < pieces.length; emitted++) frame(artifact(emitted));
      frame({ status: { state: 'completed' }, final: true });
      response.end();
    } else {
      failWith(response, call, { code: -32601, message: 'no such method' });
    }
  };
  const agent = await FakeAgent.start(cardV01, serve);
  return { agent, sends: () => agent.of('tasks/sendSubscribe').length };
}

function cardV01(url: string): object {
  return {
    name: 'Breaking 0.1',
    description: 'Breaks off',
    url: `${url}/rpc`,
    version: '1.0.0',
    capabilities: { streaming: true },
    skills: [{ id: 'count', name: 'Count', description: 'Counts', tags: ['count'] }],
    authentication: { schemes: ['bearer'] },
  };
}

/** The same behavior in A2A 1.0 over HTTP+JSON, where subscribing accepts only POST. */
export async function startBreakingRest(): Promise<BreakingAgent> {
  let emitted = 0;
  const ids = { taskId: 'up-rest', contextId: 'c' };
  const update = (at: number): object => ({
    artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text: pieces[at] }] }, append: at > 0 },
  });
  const task = (): object => ({
    id: ids.taskId,
    contextId: ids.contextId,
    status: { state: emitted < pieces.length ? 'TASK_STATE_WORKING' : 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'a', parts: pieces.slice(0, emitted).map((text) => ({ text })) }],
  });
  const serve: Serve = ({ verb, path }, response) => {
    switch (`${verb} ${path}`) {
      case 'POST /rest/message:stream':
        sendEvent(response, { task: task() });
        sendEvent(response, update(0));
        emitted = 1;
        return void setImmediate(() => response.destroy());
      case 'GET /rest/tasks/up-rest':
        return sendJson(response, task());
      case 'POST /rest/tasks/up-rest:subscribe':
        sendEvent(response, { task: task() });
        for (; emitted < pieces.length; emitted++) sendEvent(response, update(emitted));
        sendEvent(response, { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } });
        return void response.end();
      default:
        return void response.writeHead(405).end();
    }
  };
  const agent = await FakeAgent.start(cardRest, serve);
  return { agent, sends: () => agent.calls.filter(({ path }) => path.endsWith('message:stream')).length };
}

function cardRest(url: string): object {
  return {
    name: 'Breaking REST',
    description: 'Breaks off',
    version: '1.0.0',
    supportedInterfaces: [{ url: `${url}/rest/`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'count', name: 'Count', description: 'Counts', tags: ['count'] }],
  };
}
