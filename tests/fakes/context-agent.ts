import { newUuid } from '@/lib/platform/ids';
import { type Exchange, ScriptedAgent } from './scripted-agent';

type Options = Parameters<typeof ScriptedAgent.start>[0];

interface StoredContext {
  id: string;
  contextId: string;
}

interface ReceivedMessage {
  state: string;
  refers: boolean;
}

/** Call params as this agent reads them, in 0.3 and 1.0. */
interface Params {
  id?: string;
  message?: {
    contextId?: string;
    taskId?: string;
    referenceTaskIds?: string[];
    parts: { text?: string }[];
  };
}

/**
 * An agent that creates context ids itself. It rejects ids it did not create (A2A 1.0 §3.4.1) and a task id with
 * another task's context (a2aproject/a2a-java#723). `ask` asks, `chat` returns only a message, `refer` references its
 * first task.
 */
export class ContextAgent {
  private readonly tasks: StoredContext[] = [];

  private constructor(readonly agent: ScriptedAgent) {}

  static async start(options: Options): Promise<ContextAgent> {
    const agent = await ScriptedAgent.start(options);
    const own = new ContextAgent(agent);
    agent.answer((exchange) => own.serve(exchange));
    return own;
  }

  get url(): string {
    return this.agent.url;
  }

  /** Received messages, in order. */
  get messages(): NonNullable<Params['message']>[] {
    return this.agent.received.flatMap(({ params }) => (params as Params).message ?? []);
  }

  /** Created contexts, in order. */
  get contextIds(): string[] {
    return [...new Set(this.tasks.map(({ contextId }) => contextId))];
  }

  get taskIds(): string[] {
    return this.tasks.map(({ id }) => id);
  }

  stop(): Promise<void> {
    return this.agent.stop();
  }

  private serve(exchange: Exchange): void {
    const { message, id } = exchange.received.params as Params;
    if (!message) return void this.serveTask(exchange, id ?? '');
    const known = this.tasks.find((task) => task.id === message.taskId);
    if (message.taskId && !known) return void refuse(exchange, -32001, 'no such task');
    const { contextId } = message;
    if (contextId && !this.contextIds.includes(contextId))
      return void refuse(exchange, -32602, 'contextId is not mine');
    if (contextId && known && contextId !== known.contextId)
      return void refuse(exchange, -32602, 'contextId is not that of the task');
    const text = message.parts.map((part) => part.text ?? '').join('');
    const task = known ?? { id: newUuid(), contextId: contextId ?? `agent-context-${newUuid()}` };
    if (!known) this.tasks.push(task);
    if (text === 'chat') return void this.reply(exchange, task.contextId);
    const state = text === 'ask' ? 'input-required' : 'completed';
    this.say(exchange, task, { state, refers: text === 'refer' });
  }

  private serveTask(exchange: Exchange, id: string): void {
    const task = this.tasks.find((found) => found.id === id);
    if (!task) return void refuse(exchange, -32001, 'no such task');
    const state = exchange.received.method.toLowerCase().includes('cancel') ? 'canceled' : 'completed';
    this.say(exchange, task, { state, refers: false });
  }

  private reply(exchange: Exchange, contextId: string): void {
    const message = { ...this.messageOf('so it is'), contextId };
    this.result(exchange, this.isFirst ? { kind: 'message', ...message } : { message });
  }

  private say(exchange: Exchange, { id, contextId }: StoredContext, { state, refers }: ReceivedMessage): void {
    const referenceTaskIds = refers ? [this.tasks[0]?.id ?? '', 'a-task-of-somebody-else'] : undefined;
    const message = { ...this.messageOf(`in ${state}`), contextId, taskId: id, referenceTaskIds };
    const name = this.isFirst ? state : `TASK_STATE_${state.toUpperCase().replace('-', '_')}`;
    const task = { id, contextId, status: { state: name, message } };
    const isSend = (exchange.received.params as Params).message !== undefined;
    this.result(exchange, this.isFirst ? { kind: 'task', ...task } : isSend ? { task } : task);
  }

  private messageOf(text: string): object {
    const role = this.isFirst ? 'agent' : 'ROLE_AGENT';
    return { messageId: newUuid(), role, parts: [this.isFirst ? { kind: 'text', text } : { text }] };
  }

  private result({ json, result, end, received }: Exchange, value: object): void {
    if (!this.agent.options.streaming || !(received.params as Params).message)
      return void json({ jsonrpc: '2.0', id: received.id, result: value });
    result(value);
    end();
  }

  private get isFirst(): boolean {
    return this.agent.options.protocolVersion === '0.3';
  }
}

function refuse({ json, received }: Exchange, code: number, message: string): void {
  json({ jsonrpc: '2.0', id: received.id, error: { code, message } });
}
