import type { ServerResponse } from 'node:http';
import { newUuid } from '@/lib/platform/ids';
import { type AgentCall, answerWith, FakeAgent, sendEvent, sendJson } from './fake-agent';

/** How an agent is called. */
export const lateWires = ['0.3 JSONRPC', '1.0 JSONRPC', '0.3 HTTP+JSON', '1.0 HTTP+JSON'] as const;
export type LateWire = (typeof lateWires)[number];

interface Options {
  wire: LateWire;
  streaming: boolean;
  pushNotifications?: boolean;
}

type Cancels = (call: AgentCall, response: ServerResponse) => void;

/**
 * An agent that names a task only when the test says so, works on until it is canceled, and answers a cancel with the
 * task: its state, what it made until then, and what it said meanwhile.
 */
export class LateAgent {
  readonly taskId = newUuid();
  /** The state of the task until it is canceled. */
  state = 'working';
  /** The state of the task that a cancel is answered with. */
  endsAs = 'canceled';
  /** Replaces the answer to a cancel. */
  onCancel: Cancels | null = null;
  private readonly held: (() => void)[] = [];
  private named = false;

  private constructor(
    readonly agent: FakeAgent,
    private readonly options: Options,
  ) {}

  static async start(options: Options): Promise<LateAgent> {
    const made: { late?: LateAgent } = {};
    const agent = await FakeAgent.start(
      (url) => cardOf(url, options),
      (call, response) => made.late?.serve(call, response),
    );
    made.late = new LateAgent(agent, options);
    return made.late;
  }

  get sends(): AgentCall[] {
    return this.agent.calls.filter((call) => /message[:/]|SendM|SendS/.test(`${call.method} ${call.path}`));
  }

  get cancels(): AgentCall[] {
    return this.agent.calls.filter((call) => /cancel/i.test(`${call.method} ${call.path}`));
  }

  /** Answers the held sends, and all later ones at once. */
  name(): void {
    this.named = true;
    for (const answer of this.held.splice(0)) answer();
  }

  private serve(call: AgentCall, response: ServerResponse): void {
    if (this.sends.includes(call)) {
      const answer = (): void => this.answerSend(call, response);
      if (this.named) answer();
      else this.held.push(answer);
      return;
    }
    if (this.cancels.includes(call) && this.onCancel) this.onCancel(call, response);
    else this.answer(call, response, this.cancels.includes(call) ? this.task(this.endsAs) : this.task(this.state));
  }

  private answerSend(call: AgentCall, response: ServerResponse): void {
    const isWrapped = this.options.wire !== '0.3 JSONRPC';
    const task = this.task(this.state);
    const result = isWrapped ? { task } : task;
    if (!this.options.streaming) this.answer(call, response, result);
    else sendEvent(response, this.isRpc ? { jsonrpc: '2.0', id: call.id, result } : result);
  }

  private answer(call: AgentCall, response: ServerResponse, result: object): void {
    if (this.isRpc) answerWith(response, call, result);
    else sendJson(response, result);
  }

  private get isRpc(): boolean {
    return this.options.wire.endsWith('JSONRPC');
  }

  /** The task; one that has ended has an artifact and a message. */
  private task(state: string): object {
    const isProto = this.options.wire !== '0.3 JSONRPC';
    const text = (value: string): object => (isProto ? { text: value } : { kind: 'text', text: value });
    const parts = (value: string): object => ({
      [this.options.wire === '0.3 HTTP+JSON' ? 'content' : 'parts']: [text(value)],
    });
    const said = {
      ...(isProto ? { role: 'ROLE_AGENT' } : { kind: 'message', role: 'agent' }),
      messageId: `${this.taskId}-said`,
      ...parts('Half of it is done.'),
    };
    const isOver = state !== 'working';
    const name = isProto ? `TASK_STATE_${state.toUpperCase()}` : state;
    return {
      ...(!isProto && { kind: 'task' }),
      id: this.taskId,
      contextId: `${this.taskId}-context`,
      status: { state: this.options.wire === '0.3 HTTP+JSON' ? name.replace('CANCELED', 'CANCELLED') : name },
      artifacts: isOver ? [{ artifactId: 'half', parts: [text('half')] }] : [],
      history: isOver ? [said] : [],
    };
  }
}

function cardOf(url: string, { wire, streaming, pushNotifications = false }: Options): object {
  const [protocolVersion, protocolBinding] = wire.split(' ');
  const common = {
    name: `Late ${wire} ${streaming}`,
    description: 'Names its tasks late',
    version: '1.0.0',
    capabilities: { streaming, pushNotifications },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'late', name: 'Late', description: 'Names its tasks late', tags: ['late'] }],
  };
  return protocolVersion === '1.0'
    ? { ...common, supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding, protocolVersion }] }
    : { ...common, protocolVersion: '0.3.0', url: `${url}/rpc`, preferredTransport: protocolBinding };
}
