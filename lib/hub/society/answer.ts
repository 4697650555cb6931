import { endsTurn } from '../../protocol/a2a/core/model';
import { parseParams } from '../../protocol/hub/frames';
import { type ArtifactParams, artifactParams, type StatusParams, statusParams } from '../../protocol/hub/society';
import { isObject, type JsonObject, nonEmptyString } from '../../protocol/json';
import type { Delivery } from '../delivery';
import { findDeliveryOfTask } from '../runs/deliveries';
import type { WorkerSession } from '../worker-session';

/** The answers in progress. They are kept after a disconnect, because a client that reconnects may finish its run. */
const answers = new WeakMap<Delivery, SocietyAnswer>();

interface TaskFrame {
  /** `task.status`, `task.artifact` or `task.complete`. */
  method: string;
  params: JsonObject;
  /** Size of the frame. */
  bytes: number;
}

/**
 * Queues a client's frame about its run. Returns null and drops the frame if the run has ended or belongs to another
 * client.
 * @throws {ProtocolError} `invalid_params`
 */
export function receiveTaskFrame(session: WorkerSession, { method, params, bytes }: TaskFrame): Delivery | null {
  if (method === 'task.artifact') {
    const artifact = parseParams(artifactParams, params);
    return queue(session, { taskId: artifact.task_id, bytes }, (answer) => answer.receiveArtifact(artifact));
  }
  const status = parseParams(statusParams, params);
  return queue(session, { taskId: status.task_id, bytes }, (answer) =>
    method === 'task.complete' ? answer.complete(status) : answer.receiveStatus(status),
  );
}

function queue(
  session: WorkerSession,
  { taskId, bytes }: { taskId: string; bytes: number },
  read: (answer: SocietyAnswer) => JsonObject[],
): Delivery | null {
  const delivery = findOwn(session, taskId);
  if (!delivery) return null;
  const answer = answers.get(delivery) ?? new SocietyAnswer(delivery.run.turnSeq);
  answers.set(delivery, answer);
  const items = read(answer);
  if (items.length > 0) delivery.append(items, bytes);
  return delivery;
}

/** Finds a run of this connection, or a run without a connection that continues here. */
function findOwn(session: WorkerSession, taskId: string): Delivery | null {
  const delivery = findDeliveryOfTask(taskId);
  if (!delivery || delivery.run.agentId !== session.identity.agentId) return null;
  if (session.deliveries.has(delivery)) return delivery;
  if (!delivery.isDetached) return null;
  delivery.attach(session);
  return delivery;
}

/** The end of a text that a client truncated because of its length. */
const CUT_MARK = /\n\n\.\.\. \(truncated; original \d+ chars\)$/;

/**
 * Converts the answer of one run of a Society AI client to A2A events. Its text arrives in pieces, and its last frame
 * repeats the whole text.
 */
export class SocietyAnswer {
  /** The pieces received so far. */
  private text = '';
  /** The data parts with an id, by component and id. An update contains only changed members. */
  private readonly payloads = new Map<string, JsonObject>();
  private hasStarted = false;
  private hasEnded = false;
  private readonly textId: string;
  private readonly otherId: string;

  /** `turnSeq` distinguishes the artifact of this answer from those of earlier turns of the task. */
  constructor(turnSeq: number) {
    this.textId = `answer-${turnSeq}`;
    this.otherId = `parts-${turnSeq}`;
  }

  /** Returns the events for `task.status`. A status that ends the turn is handled by {@link complete}. */
  receiveStatus(params: StatusParams): JsonObject[] {
    const { state, message } = params.status;
    if (endsTurn(state)) return this.complete(params);
    if (this.hasEnded) return [];
    const { text, others } = splitParts(message?.parts ?? []);
    return [...this.start(), ...this.receivePiece(text), ...this.receiveOthers(others)];
  }

  /** Returns the events for `task.artifact`. */
  receiveArtifact({ artifact }: ArtifactParams): JsonObject[] {
    if (this.hasEnded) return [];
    const { artifactId, index, name, parts, append, lastChunk } = artifact;
    const id = artifactId || (typeof index === 'number' ? `artifact-${index}` : name || 'artifact-0');
    const update = toUpdate(id, parts, {
      name: name ?? undefined,
      append: append === true,
      lastChunk: lastChunk === true,
    });
    return [...this.start(), update];
  }

  /** Returns the events for `task.complete`: the part of the text that is missing in the pieces, and the state. */
  complete({ status: { state, message }, metadata }: StatusParams): JsonObject[] {
    if (this.hasEnded) return [];
    this.hasEnded = true;
    // This is the last frame, regardless of its state.
    const final = endsTurn(state) ? state : 'completed';
    const { text, others } = splitParts(message?.parts ?? []);
    const isAnswer = final === 'completed';
    const events = [...this.receiveOthers(others), ...(isAnswer ? this.mergeText(text) : [])];
    const shown = isAnswer ? '' : this.restOf(text);
    const said = shown === '' ? undefined : { role: 'agent', parts: [{ type: 'text', text: shown }] };
    const update: JsonObject = { status: { state: final, message: said }, metadata: metadata ?? undefined };
    return [...events, { statusUpdate: update }];
  }

  private start(): JsonObject[] {
    if (this.hasStarted) return [];
    this.hasStarted = true;
    return [{ statusUpdate: { status: { state: 'working' } } }];
  }

  private receivePiece(text: string): JsonObject[] {
    if (text === '') return [];
    const append = this.text !== '';
    this.text += text;
    return [toUpdate(this.textId, [{ type: 'text', text }], { append })];
  }

  /**
   * Adds the missing part of the text. A text that differs from the pieces replaces them, unless it is a truncated
   * repetition.
   */
  private mergeText(text: string): JsonObject[] {
    if (text === '' || text === this.text || this.hasUncut(text)) return [];
    if (this.text !== '' && text.startsWith(this.text)) return this.receivePiece(text.slice(this.text.length));
    this.text = text;
    return [toUpdate(this.textId, [{ type: 'text', text }], { append: false })];
  }

  private hasUncut(text: string): boolean {
    return CUT_MARK.test(text) && this.text.startsWith(text.replace(CUT_MARK, ''));
  }

  private restOf(text: string): string {
    if (this.hasUncut(text)) return '';
    return text.startsWith(this.text) ? text.slice(this.text.length) : text;
  }

  /** Merges a data part with an id into the one with the same id, and adds all other parts. */
  private receiveOthers(parts: JsonObject[]): JsonObject[] {
    return parts.map((part) => {
      const data = isObject(part.data) ? part.data : {};
      const [component, id] = [nonEmptyString(data.component), nonEmptyString(data.id)];
      if (component === undefined || id === undefined) return toUpdate(this.otherId, [part], { append: true });
      const key = `${component}:${id}`;
      const payload = isObject(data.payload) ? { ...this.payloads.get(key), ...data.payload } : data.payload;
      if (isObject(payload)) this.payloads.set(key, payload);
      return toUpdate(key, [{ ...part, data: { ...data, payload } }], { name: component, append: false });
    });
  }
}

function splitParts(parts: JsonObject[]): { text: string; others: JsonObject[] } {
  const isText = ({ text }: JsonObject): boolean => typeof text === 'string';
  return {
    text: parts
      .filter(isText)
      .map(({ text }) => text)
      .join(''),
    others: parts.filter((part) => !isText(part)),
  };
}

function toUpdate(
  artifactId: string,
  parts: JsonObject[],
  { name, append, lastChunk = false }: { name?: string; append: boolean; lastChunk?: boolean },
): JsonObject {
  return { artifactUpdate: { artifact: { artifactId, name, parts }, append, lastChunk } };
}
