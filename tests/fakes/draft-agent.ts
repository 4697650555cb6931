import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newUuid } from '@/lib/platform/ids';

/** A message as the agent received it. */
export interface DraftMessage {
  messageId: string;
  taskId?: string;
  parts: { text?: string; data?: unknown; metadata?: object }[];
  elicitationIds?: string[];
}

interface DraftTask {
  id: string;
  contextId: string;
  status: Record<string, unknown>;
  artifacts: object[];
  generation: string;
  elicitations?: object[];
}

type Update = Record<string, unknown>;

interface Options {
  binding?: 'JSONRPC' | 'HTTP+JSON';
  /** The version that its card declares, and the one that it accepts. */
  declares?: string;
  accepts?: string;
}

const schema = { type: 'object', properties: { city: { type: 'string', title: 'City' } }, required: ['city'] };

/**
 * An agent of A2A 1.1 that rejects other versions. It asks on `ask`, with a form and the requests for input of
 * {@link DraftAgent.elicitations}, and otherwise answers in two pieces.
 */
export class DraftAgent {
  readonly messages: DraftMessage[] = [];
  readonly versions: (string | undefined)[] = [];
  /** The requests for input of the next question, and of the status after its answer. */
  elicitations: unknown = [{ elicitationId: 'city', state: 'ELICITATION_STATE_BLOCKED', metadata: { step: 1 } }];
  afterwards: unknown = [{ elicitationId: 'city', state: 'ELICITATION_STATE_RESOLVED' }];
  private readonly tasks = new Map<string, DraftTask>();

  private constructor(
    private readonly server: Server,
    private readonly options: Required<Options>,
    readonly url: string,
  ) {
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(options: Options = {}): Promise<DraftAgent> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new DraftAgent(server, { binding: 'JSONRPC', declares: '1.1', accepts: '1.1', ...options }, url);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get card(): object {
    const { binding: protocolBinding, declares: protocolVersion } = this.options;
    return {
      name: 'Draft',
      description: 'Speaks the draft of A2A 1.1',
      version: '1.0.0',
      supportedInterfaces: [{ url: `${this.url}/a2a`, protocolBinding, protocolVersion }],
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'draft', name: 'Draft', description: 'Asks and answers', tags: ['test'] }],
    };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (url.endsWith('agent-card.json')) return json(response, this.card);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : JSON.parse(text);
    const version = request.headers['a2a-version'] as string | undefined;
    this.versions.push(version);
    const isRpc = this.options.binding === 'JSONRPC';
    const { method, params, id } = isRpc ? body : { ...restCall(`${request.method} ${url}`, body), id: null };
    const reply = new Reply(response, isRpc, id);
    if (version !== this.options.accepts) return reply.fail(-32009, 'VERSION_NOT_SUPPORTED');
    const task = this.tasks.get(params.id ?? params.message?.taskId);
    if (method === 'SendStreamingMessage') return reply.stream(this.execute(params.message, task));
    if (method !== 'GetTask' && method !== 'CancelTask') return reply.fail(-32004, 'UNSUPPORTED_OPERATION');
    if (!task) return reply.fail(-32001, 'TASK_NOT_FOUND');
    if (method === 'CancelTask') {
      if (task.status.state === 'TASK_STATE_CANCELED') return reply.fail(-32002, 'TASK_NOT_CANCELABLE');
      task.status = { state: 'TASK_STATE_CANCELED' };
    }
    reply.result(task);
  }

  private execute(message: DraftMessage, known: DraftTask | undefined): Update[] {
    this.messages.push(message);
    const fresh = { id: newUuid(), contextId: newUuid(), artifacts: [], generation: '0' };
    const task: DraftTask = known ?? { ...fresh, status: { state: 'TASK_STATE_SUBMITTED' } };
    this.tasks.set(task.id, task);
    const ids = { taskId: task.id, contextId: task.contextId };
    const count = (): string => {
      task.generation = String(Number(task.generation) + 1);
      return task.generation;
    };
    const status = (state: string, more: object = {}): Update => {
      task.status = { state: `TASK_STATE_${state}`, ...more };
      return { statusUpdate: { ...ids, status: task.status, generation: count() } };
    };
    const agentMessage = { messageId: newUuid(), role: 'ROLE_AGENT' };
    if (message.parts.some(({ text }) => text === 'ask')) {
      const parts = [{ text: 'Where to?' }, { data: { kind: 'form', schema } }];
      const question = { message: { ...agentMessage, parts }, elicitations: this.elicitations };
      return [{ task: { ...task } }, status('INPUT_REQUIRED', question)];
    }
    const working = status('WORKING', known && { elicitations: this.afterwards });
    const artifact = (text: string, append: boolean): Update => {
      const piece = { artifactId: 'text', parts: [{ text }] };
      return { artifactUpdate: { ...ids, artifact: piece, append, lastChunk: append, generation: count() } };
    };
    return [{ task: { ...task } }, working, artifact('he', false), artifact('llo', true), status('COMPLETED')];
  }
}

/** The response to one call, in either binding. */
class Reply {
  constructor(
    private readonly response: ServerResponse,
    private readonly isRpc: boolean,
    private readonly id: unknown,
  ) {}

  result(result: object): void {
    json(this.response, this.wrap(result));
  }

  stream(updates: Update[]): void {
    this.response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const update of updates) this.response.write(`data: ${JSON.stringify(this.wrap(update))}\n\n`);
    this.response.end();
  }

  fail(code: number, reason: string): void {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }];
    const error = this.isRpc
      ? { jsonrpc: '2.0', id: this.id, error: { code, message: reason, data: details } }
      : { error: { code: 400, status: 'FAILED_PRECONDITION', message: reason, details } };
    json(this.response, error, this.isRpc ? 200 : 400);
  }

  private wrap(result: object): object {
    return this.isRpc ? { jsonrpc: '2.0', id: this.id, result } : result;
  }
}

function restCall(line: string, body: Record<string, unknown>): { method: string; params: Record<string, never> } {
  const [, id, verb] = /\/tasks\/([^:?]+)(?::(\w+))?/.exec(line) ?? [];
  const method = id
    ? ({ cancel: 'CancelTask', subscribe: 'SubscribeToTask' }[verb ?? ''] ?? 'GetTask')
    : line.endsWith(':stream')
      ? 'SendStreamingMessage'
      : 'SendMessage';
  return { method, params: { ...body, ...(id && { id }) } as Record<string, never> };
}

function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
