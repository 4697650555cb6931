import { EventEmitter, once } from 'node:events';
import { type AgentCall, answerWith, FakeAgent, failWith, type Serve, sendEvent } from './fake-agent';

interface Part01 {
  type: string;
  text?: string;
}

interface Params01 {
  id: string;
  sessionId?: string;
  message: { role: string; parts: Part01[] };
  metadata?: Record<string, unknown>;
}

interface Task01 {
  id: string;
  sessionId?: string;
  state: 'working' | 'input-required' | 'completed' | 'canceled';
  asked: Part01[];
  answer: Part01[];
}

const question: Part01[] = [{ type: 'text', text: 'What?' }];

/** Behavior of these A2A 0.1 agents: echo every part, ask on `ask`, work on `slow` until canceled. */
class Brain {
  readonly tasks = new Map<string, Task01>();
  readonly changes = new EventEmitter();

  constructor(private readonly nameTask: (clientId: string) => string = (id) => id) {}

  take({ id, sessionId, message: { parts } }: Params01): Task01 {
    const text = parts.map((part) => part.text ?? '').join('');
    const known = this.tasks.get(id);
    const task: Task01 = known ?? { id: this.nameTask(id), sessionId, state: 'working', asked: [], answer: [] };
    task.asked.push(...parts);
    task.state = text === 'ask' ? 'input-required' : text === 'slow' ? 'working' : 'completed';
    task.answer = text === 'ask' ? question : parts;
    this.tasks.set(task.id, task);
    return task;
  }

  cancel(id: string): Task01 | null {
    const task = this.tasks.get(id);
    if (!task) return null;
    task.state = 'canceled';
    this.changes.emit(id);
    return task;
  }

  /** Resolves when the task is no longer running. */
  async turnOf(task: Task01): Promise<void> {
    while (task.state === 'working') await once(this.changes, task.id);
  }
}

const params01 = ({ params }: AgentCall): Params01 => params as Params01;
const notFound = { code: -32001, message: 'task not found' };
const noMethod = ({ method }: AgentCall): { code: number; message: string } => ({
  code: -32601,
  message: `method not found: ${method}`,
});

/** Society: one method, on `/`; text parts only; output in artifacts, `status.message` is an empty string. */
export function startSociety({ unknownMethod = -32601 } = {}): Promise<FakeAgent> {
  const brain = new Brain();
  const serve: Serve = (call, response) => {
    if (call.path !== '/') return void response.writeHead(404).end();
    if (call.method !== 'tasks/send') return failWith(response, call, { ...noMethod(call), code: unknownMethod });
    const task = brain.take(params01(call));
    if (task.asked.some(({ type }) => !type)) return failWith(response, call, { code: -32602, message: 'part.type' });
    if (task.state === 'working') return;
    const artifacts = [{ name: 'response', parts: task.answer }];
    answerWith(response, call, { id: task.id, status: { state: 'completed', message: '' }, messages: [], artifacts });
  };
  const card = (url: string): object => ({
    name: 'claude',
    description: 'Claude Code agent',
    url,
    skills: [{ id: 'code', name: 'Code Assistant' }],
    capabilities: { streaming: false, pushNotifications: false },
  });
  return FakeAgent.start(card, serve);
}

/**
 * AgentOS: claims streaming but does not stream; spells `cancelled`; output in `status.message` or only in the history.
 */
export function startAgentOs(): Promise<FakeAgent> {
  const brain = new Brain();
  const wire = ({ id, sessionId, state, asked, answer }: Task01): object => {
    const reply = { role: 'agent', parts: answer };
    const userHistory = asked.map((part) => ({ role: 'user', parts: [part] }));
    const isQuiet = asked.some(({ text }) => text === 'history');
    const isFinished = state === 'completed' || state === 'input-required';
    const status = { state: state === 'canceled' ? 'cancelled' : state, timestamp: '2026-03-09T10:30:00Z' };
    return {
      id,
      sessionId,
      status: isFinished && !isQuiet ? { ...status, message: reply } : status,
      history: isFinished ? [...userHistory, reply] : userHistory,
      artifacts: [],
      metadata: {},
      createdAt: 1_709_976_600_000,
    };
  };
  const serve: Serve = (call, response) => {
    const known = brain.tasks.get(String(call.params.id));
    if (call.method === 'tasks/send') return answerWith(response, call, wire(brain.take(params01(call))));
    if (call.method !== 'tasks/get' && call.method !== 'tasks/cancel') return failWith(response, call, noMethod(call));
    if (!known) return failWith(response, call, notFound);
    if (call.method === 'tasks/cancel') brain.cancel(known.id);
    answerWith(response, call, wire(known));
  };
  const card = (url: string): object => ({
    name: 'AgentOS instance',
    description: 'Researches',
    url: `${url}/a2a/rpc`,
    capabilities: { tools: ['search'], streaming: true, pushNotifications: false },
    skills: [{ id: 'research', name: 'Research', description: 'Researches' }],
    authentication: { schemes: ['bearer'] },
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
  });
  return FakeAgent.start(card, serve);
}

/**
 * Orloj: assigns task ids itself, streams raw tasks as `event: status` with heartbeats, repeats itself, and stays open.
 */
export function startOrloj(): Promise<FakeAgent> {
  const brain = new Brain((id) => (id.startsWith('a2a-') ? id : `a2a-${id.slice(0, 12)}`));
  const wire = ({ id, state, answer }: Task01): object => ({
    id,
    status: state === 'input-required' ? { state, message: { role: 'agent', parts: answer } } : { state },
    artifacts: state === 'completed' ? [{ name: 'output', parts: answer, index: 0 }] : [],
  });
  const serve: Serve = async (call, response) => {
    const known = brain.tasks.get(String(call.params.id));
    const { metadata = {} } = params01(call);
    if (Object.values(metadata).some((value) => typeof value !== 'string')) {
      return failWith(response, call, { code: -32602, message: 'metadata: expected texts' });
    }
    switch (call.method) {
      case 'tasks/send':
        return answerWith(response, call, wire(brain.take(params01(call))));
      case 'tasks/get':
        return known ? answerWith(response, call, wire(known)) : failWith(response, call, notFound);
      case 'tasks/cancel':
        return known
          ? answerWith(response, call, wire(brain.cancel(known.id) ?? known))
          : failWith(response, call, notFound);
      case 'tasks/sendSubscribe': {
        const task = brain.take(params01(call));
        for (const _ of [1, 2]) sendEvent(response, wire({ ...task, state: 'working' }), 'status');
        response.write(': heartbeat\n\n');
        await brain.turnOf(task);
        for (const _ of [1, 2]) sendEvent(response, wire(task), 'status');
        if (task.state !== 'input-required') response.end();
        return;
      }
      default:
        return failWith(response, call, noMethod(call));
    }
  };
  const card = (url: string): object => ({
    name: 'Orloj system',
    description: 'Runs a system of agents',
    url: `${url}/v1/agent-systems/demo/a2a`,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false },
    skills: [{ id: 'run', name: 'Run', description: 'Runs', tags: ['run'] }],
    authentication: { schemes: ['bearer'] },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
  });
  return FakeAgent.start(card, serve);
}

/** Society AI: JSON-RPC frames with `final`; text as status messages, results as artifact chunks. */
export function startSocietyAi(): Promise<FakeAgent> {
  const brain = new Brain();
  const serve: Serve = async (call, response) => {
    const frame = (result: object): void => sendEvent(response, { jsonrpc: '2.0', id: call.id, result });
    if (call.method === 'tasks/cancel') return answerWith(response, call, status(brain.cancel(String(call.params.id))));
    if (call.method !== 'tasks/sendSubscribe') return failWith(response, call, noMethod(call));
    const task = brain.take(params01(call));
    const { id } = task;
    frame({
      id,
      status: { state: 'working', message: { role: 'agent', parts: [{ type: 'text', text: 'On it' }] } },
      final: false,
    });
    await brain.turnOf(task);
    if (task.state === 'completed') {
      task.answer.flatMap(inPieces).forEach((part, at, parts) => {
        const artifact = {
          index: 0,
          name: 'result',
          parts: [part],
          append: at > 0,
          lastChunk: at === parts.length - 1,
        };
        frame({ id, artifact });
      });
    }
    const message = task.state === 'input-required' ? { role: 'agent', parts: question } : undefined;
    frame({ id, status: { state: task.state, message }, final: true });
    response.end();
  };
  const status = (task: Task01 | null): object => ({ id: task?.id, status: { state: task?.state } });
  const card = (url: string): object => ({
    name: 'research-agent',
    description: 'Deep research agent that synthesizes multiple sources',
    url: `${url}/tasks/process`,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: true },
    skills: [{ id: 'research-topic', name: 'Topic Research', description: 'Any topic', tags: ['papers'] }],
    authentication: { schemes: ['bearer'], credentials: null },
  });
  return FakeAgent.start(card, serve);
}

function inPieces(part: Part01): Part01[] {
  if (part.text === undefined || part.text.length < 2) return [part];
  return [
    { ...part, text: part.text.slice(0, 2) },
    { ...part, text: part.text.slice(2) },
  ];
}

/**
 * A plain A2A 0.1 agent without streaming: accepts the task immediately and is polled. `drop` accepts and disconnects.
 */
export function startPlain01(): Promise<FakeAgent> {
  const brain = new Brain();
  const wire = ({ id, sessionId, state, answer }: Task01): object => ({
    id,
    sessionId,
    status: {
      state: state.toUpperCase(),
      message: state === 'input-required' ? { role: 'agent', parts: answer } : null,
    },
    artifacts: state === 'completed' ? answer.map((part, index) => ({ index, parts: [part] })) : null,
  });
  const serve: Serve = (call, response) => {
    const known = brain.tasks.get(String(call.params.id));
    if (call.method === 'tasks/send') {
      const task = brain.take(params01(call));
      if (task.asked.some(({ text }) => text === 'drop')) return void response.destroy();
      return answerWith(response, call, wire({ ...task, state: 'working' }));
    }
    if (!known) return failWith(response, call, notFound);
    if (call.method === 'tasks/cancel') brain.cancel(known.id);
    answerWith(response, call, wire(known));
  };
  const card = (url: string): object => ({
    name: 'Plain 0.1',
    description: 'An agent of the first version',
    url: `${url}/rpc`,
    version: '1.0.0',
    capabilities: { streaming: false },
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
    authentication: { schemes: ['none'] },
  });
  return FakeAgent.start(card, serve);
}
