import type { Part, Task } from '../wire.js';
import { Skipped, type TestTexts } from './inputs.js';
import { isText, type JsonObject, objectOf, objectsOf, parseJson } from './json-value.js';
import type { TestLimits } from './limits.js';
import { type CallOptions, type Channel, call, isRunning, messageOf, type Reply } from './probe/conversation.js';
import { interfacesOf, nameOf, type ProbeInterface, toProbeInterface } from './probe/interfaces.js';
import type { Note } from './probe/notes.js';
import type { Operation } from './probe/requests.js';
import type { ProbeResponse, Transport } from './probe/transport.js';

export interface SubjectOptions {
  /** URL of the agent or of its card. */
  url: string;
  transport: Transport;
  headers: Record<string, string>;
  texts: TestTexts;
  limits: TestLimits;
}

/** The card, or why there is none. */
export interface CardReading {
  /** URL from which it was read. */
  url: string;
  card: JsonObject | null;
  response: ProbeResponse;
}

/** An example of a skill, and the answer to it. */
export interface ExampleRun {
  where: string;
  text: string;
  reply: Reply;
}

const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const POLL_MS = [100, 200, 400, 800, 1_500];

/** The agent under test. What is observed of it is observed once, and shared by the checks. */
export class Subject {
  /** What was noted so far. */
  readonly notes: Note[] = [];
  private readonly memory = new Map<string, Promise<unknown>>();
  /** Tasks that may still be open at the agent. */
  private readonly tasks = new Map<string, Task>();

  constructor(readonly options: SubjectOptions) {}

  /** Returns the result of the first call for this name. */
  once<Result>(name: string, observe: () => Promise<Result>): Promise<Result> {
    const known = this.memory.get(name) as Promise<Result> | undefined;
    const result = known ?? observe();
    this.memory.set(name, result);
    return result;
  }

  /** Reads the card from the agent's well-known path (A2A 1.0 section 8.2). */
  cardReading(): Promise<CardReading> {
    return this.once('card', async () => {
      const urls = cardUrlsOf(this.options.url);
      let first: CardReading | null = null;
      for (const url of urls) {
        const { firstByteMs: wholeMs } = this.options.limits;
        const headers = { accept: 'application/json' };
        const response = await this.options.transport.request({ method: 'GET', url, headers, wholeMs });
        const value = response.status === 200 && response.isUtf8 ? parseJson(response.text) : undefined;
        const card = Object.keys(objectOf(value)).length > 0 ? objectOf(value) : null;
        first ??= { url, card, response };
        if (card) return { url, card, response };
      }
      return first as CardReading;
    });
  }

  /** Returns the card. @throws {Skipped} without one */
  async card(): Promise<JsonObject> {
    const { card } = await this.cardReading();
    if (!card) throw new Skipped('The agent has no card that can be read.');
    return card;
  }

  /** Returns the interfaces that this package can call, the preferred one first. @throws {Skipped} without any */
  async channels(): Promise<[Channel, ...Channel[]]> {
    const card = await this.card();
    const targets = interfacesOf(card).flatMap((one) => toProbeInterface(one, card) ?? []);
    const channels = targets.map((target) => this.channelTo(target));
    const [first, ...others] = channels;
    if (!first)
      throw new Skipped(
        'The card declares no interface that can be called: JSON-RPC of 0.3 or 1.0, or HTTP+JSON of 1.0.',
      );
    return [first, ...others];
  }

  channelTo(target: ProbeInterface): Channel {
    const { transport, headers } = this.options;
    return { target, transport, headers };
  }

  /** Returns the capabilities of the card; in 0.3, that for the extended card is a member of the card itself. */
  async capabilities(): Promise<JsonObject> {
    const { capabilities, supportsAuthenticatedExtendedCard } = await this.card();
    const extendedAgentCard = supportsAuthenticatedExtendedCard === true;
    return { ...(extendedAgentCard && { extendedAgentCard }), ...objectOf(capabilities) };
  }

  /** Returns the examples of the card's skills. */
  async examples(): Promise<{ where: string; text: string }[]> {
    const card = await this.card();
    const all = objectsOf(card.skills).flatMap(({ id, examples }) =>
      (Array.isArray(examples) ? examples.filter(isText) : []).map((text) => ({
        where: `example "${text.slice(0, 60)}" of the skill ${isText(id) ? id : '(no id)'}`,
        text,
      })),
    );
    return all.slice(0, this.options.limits.maxExamples);
  }

  /** Sends the first message, without streaming, at the preferred interface. */
  first(): Promise<ExampleRun> {
    return this.once('first', async () => {
      const [channel] = await this.channels();
      const [example] = await this.examples();
      const { message } = this.options.texts;
      const text = message ?? example?.text ?? 'Hello';
      const where = message === undefined && example ? example.where : `message "${text.slice(0, 60)}"`;
      return { where, text, reply: await this.send(channel, { text, where }) };
    });
  }

  /** Returns the preferred interface. @throws {Skipped} if the first message was not answered there */
  async working(): Promise<Channel> {
    const { reply } = await this.first();
    if (!isUsable(reply)) throw new Skipped('The first message has no answer that can be used.');
    const [channel] = await this.channels();
    return channel;
  }

  /** Sends a message without streaming, and reads its task until it is finished or asks for something. */
  async send(
    channel: Channel,
    { text, where, parts }: { text: string; where: string; parts?: Part[] },
    to: { taskId?: string; contextId?: string } = {},
  ): Promise<Reply> {
    const reply = await this.call(channel, { op: 'send', message: messageOf(parts ?? text, to) }, { where });
    return this.settle(channel, reply, { where });
  }

  /** Calls an operation, and keeps the reply for the checks. */
  async call(channel: Channel, operation: Operation, options: CallOptions): Promise<Reply> {
    const reply = await call(channel, operation, options);
    this.notes.push(...reply.notes);
    if (reply.task) this.tasks.set(reply.task.id, reply.task);
    return reply;
  }

  /**
   * Reads a task until it is finished or asks for something. Notes one that is still running after `answerMs`; with
   * `forMs`, returns it as it is after that time.
   */
  async settle(channel: Channel, reply: Reply, { where, forMs }: { where: string; forMs?: number }): Promise<Reply> {
    const limitMs = forMs ?? this.options.limits.answerMs;
    const startedAt = Date.now();
    let current = reply;
    for (let round = 0; isRunning(current.task); round += 1) {
      if (Date.now() - startedAt > limitMs) return forMs === undefined ? this.noteEndless(current, where) : current;
      await pause(POLL_MS[round] ?? POLL_MS.at(-1) ?? 0);
      const options = { where: `${where}, read again` };
      const next = await this.call(channel, { op: 'get', taskId: current.task.id }, options);
      const notes = [...current.notes, ...next.notes];
      if (!next.task) return { ...next, notes };
      current = { ...next, notes, events: [...current.events, ...next.events] };
    }
    return current;
  }

  private noteEndless(reply: Reply, where: string): Reply {
    const found = `the task is still ${reply.task?.status.state} after ${this.options.limits.answerMs / 1_000} s`;
    const expected = 'a state in which the task is finished or asks for something';
    const note = { check: 'limits.end', found, expected, remedy: 'End each task, also after errors.', where };
    this.notes.push(note);
    return { ...reply, notes: [...reply.notes, note] };
  }

  /** Cancels tasks that wait for a caller, so that the test leaves none open. Ignores errors. */
  async close(): Promise<void> {
    const open = [...this.tasks.values()].filter(
      ({ status }) => !/COMPLETED|FAILED|CANCELED|REJECTED/.test(status.state),
    );
    if (open.length === 0) return;
    try {
      const [channel] = await this.channels();
      for (const { id } of open) await call(channel, { op: 'cancel', taskId: id }, { where: 'clean-up' });
    } catch {
      // The agent does not respond, or the test was stopped.
    }
  }
}

/** Returns the URLs at which the card of an agent may be: below its URL, at its origin, and its URL itself. */
function cardUrlsOf(url: string): string[] {
  const base = url.replace(/\/$/, '');
  if (base.endsWith('.json')) return [base];
  const below = [base, new URL(base).origin].flatMap((start) => CARD_PATHS.map((path) => `${start}${path}`));
  return [...new Set([...below, base])];
}

/** Returns true for an answer with which a conversation can go on. */
export function isUsable({ task, message, error }: Reply): boolean {
  return error === null && (message !== null || (task !== null && !isRunning(task)));
}

/** Returns the name of a channel's interface. */
export function channelName({ target }: Channel): string {
  return nameOf(target);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
