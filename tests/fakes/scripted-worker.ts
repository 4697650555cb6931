import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { waitFor } from '../support/wait-for';

/** A JSON-RPC frame of the hub. */
export interface Frame {
  id?: string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: { reason: string; retryable: boolean } };
}

export interface Offer {
  runId: string;
  epoch: number;
  attempt: number;
  request: { message: { parts: { text: string }[]; taskId: string; contextId: string } };
  task: { id: string; contextId: string };
  token: string;
}

export interface WorkerOptions {
  url: string;
  token: string;
  agent: string;
  workerId?: string;
  capacity?: number;
  redelivery?: 'never' | 'safe';
  runs?: { runId: string; epoch: number; sent: number }[];
  headers?: Record<string, string>;
  card?: object;
}

/** A worker of an agent that sends what a test wants. */
export class ScriptedWorker {
  readonly workerId: string;
  readonly received: Frame[] = [];
  hello: Frame | null = null;
  closed: { code: number; reason: string } | null = null;
  /** How offers are answered; null: not at all. */
  answer: ((offer: Offer) => object) | null = () => ({ accept: true });
  readonly offers: Offer[] = [];
  readonly started: string[] = [];
  private readonly runs = new Map<string, ScriptedRun>();
  private startHandler: ((run: ScriptedRun) => void) | null = null;
  /** Runs that began before the test set a handler. */
  private readonly unhandled: ScriptedRun[] = [];

  private constructor(
    readonly socket: WebSocket,
    private readonly options: WorkerOptions,
  ) {
    this.workerId = options.workerId ?? randomUUID();
    socket.on('message', (data) => this.receive(JSON.parse(String(data)) as Frame));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    socket.on('error', () => undefined);
  }

  /** What the worker does when it may begin, also with the runs that have begun. */
  set onStart(handler: (run: ScriptedRun) => void) {
    this.startHandler = handler;
    for (const run of this.unhandled.splice(0)) handler(run);
  }

  /** Opens a connection without saying hello. */
  static async open(options: WorkerOptions): Promise<ScriptedWorker> {
    const socket = new WebSocket(`${options.url.replace('http', 'ws')}/ws/agents`, 'parley.hub.v1', {
      headers: options.headers,
    });
    const worker = new ScriptedWorker(socket, options);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return worker;
  }

  /** Connects and says hello. */
  static async connect(options: WorkerOptions): Promise<ScriptedWorker> {
    const worker = await ScriptedWorker.open(options);
    worker.sayHello();
    await waitFor(() => worker.hello ?? worker.closed, { what: 'the answer to hello' });
    return worker;
  }

  sayHello(extra: object = {}): void {
    const { token, agent, capacity = 1, redelivery, runs, card } = this.options;
    const params = { token, agent, workerId: this.workerId, capacity, redelivery, runs, card, ...extra };
    this.send({ jsonrpc: '2.0', id: 'hello', method: 'hub.hello', params });
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** A request of the worker, and its response. */
  async request(method: string, params: object): Promise<Frame> {
    const id = randomUUID();
    this.send({ jsonrpc: '2.0', id, method, params });
    return waitFor(() => this.received.find((frame) => frame.id === id && !frame.method), { what: method });
  }

  notify(method: string, params: object): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** The run that the worker was offered, for sending its events. */
  run(runId: string): ScriptedRun {
    const run = this.runs.get(runId);
    if (!run) throw new Error(`the worker has no run ${runId}`);
    return run;
  }

  /** Names a run of an earlier connection. */
  adopt(run: ScriptedRun): void {
    run.worker = this;
    this.runs.set(run.runId, run);
  }

  frames(method: string): Frame[] {
    return this.received.filter((frame) => frame.method === method);
  }

  async close(): Promise<void> {
    this.socket.terminate();
    await waitFor(() => this.closed, { what: 'the connection to close' });
  }

  private receive(frame: Frame): void {
    this.received.push(frame);
    if (frame.id === 'hello' && !frame.method) this.hello = frame;
    if (frame.method === 'run.offer') this.receiveOffer(frame.id, frame.params as object as Offer);
    if (frame.method === 'run.cancel') this.send({ jsonrpc: '2.0', id: frame.id, result: {} });
    if (frame.method === 'run.start') {
      const { runId } = frame.params as { runId: string };
      this.started.push(runId);
      const run = this.runs.get(runId);
      if (run && this.startHandler) this.startHandler(run);
      else if (run) this.unhandled.push(run);
    }
  }

  private receiveOffer(id: string | undefined, offer: Offer): void {
    this.offers.push(offer);
    this.runs.set(offer.runId, new ScriptedRun(this, offer));
    if (this.answer) this.send({ jsonrpc: '2.0', id, result: this.answer(offer) });
  }
}

/** One run of a worker: sends numbered events. */
export class ScriptedRun {
  sent = 0;

  constructor(
    public worker: ScriptedWorker,
    readonly offer: Offer,
  ) {}

  get runId(): string {
    return this.offer.runId;
  }

  get text(): string {
    return this.offer.request.message.parts[0]?.text ?? '';
  }

  /** Sends an event; `n` other than the next number repeats or skips. */
  event(item: object, n = this.sent + 1): void {
    this.sent = Math.max(this.sent, n);
    this.worker.notify('run.event', { runId: this.runId, epoch: this.offer.epoch, n, item });
  }

  piece(text: string, n?: number): void {
    const artifact = { artifactId: 'answer', parts: [{ text }] };
    this.event({ artifactUpdate: { ...this.ids, artifact, append: (n ?? this.sent + 1) > 1 } }, n);
  }

  status(state: string, text?: string, n?: number): void {
    const message = text && { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
    this.event({ statusUpdate: { ...this.ids, status: { state: `TASK_STATE_${state}`, message } } }, n);
  }

  private get ids(): { taskId: string; contextId: string } {
    return { taskId: this.offer.task.id, contextId: this.offer.task.contextId };
  }
}
