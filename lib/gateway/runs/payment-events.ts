import { processSingleton } from '../../platform/singleton';
import { isFinal, statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, type Part, type Task } from '../../protocol/a2a/core/model';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import type { TaskRecord } from '../store/records';

/** A message or an artifact of an agent, complete, with something about paying among its data parts. */
export interface PaymentSource {
  kind: 'message' | 'artifact';
  /** Its `messageId` or `artifactId`. */
  id: string;
  parts: Part[];
}

/** What an agent said about paying in one task of a person. */
export interface PaymentEvent {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  sources: PaymentSource[];
}

/** Told once what an agent said is on disk; again after a crash, so it must be idempotent. */
export type PaymentEventHandler = (event: PaymentEvent) => Promise<void>;

function registration(): { handler: PaymentEventHandler | null } {
  return processSingleton('offer-ear', () => ({ handler: null }));
}

/** Has `hear` told of what agents say about paying. A parameter, so that nothing of the gateway leads to what signs. */
export function onPaymentEvents(handler: PaymentEventHandler): void {
  registration().handler = handler;
}

/** Tells what was said, when it was said to a person: apps have nothing to pay with. */
export async function emitPaymentEvents(
  { id: taskId, principal, agentId, contextId }: Pick<TaskRecord, 'id' | 'principal' | 'agentId' | 'contextId'>,
  sources: PaymentSource[],
): Promise<void> {
  const { handler: hear } = registration();
  if (!hear || sources.length === 0 || !principal.startsWith('usr_')) return;
  await hear({ userId: principal, agentId, taskId, contextId, sources });
}

/**
 * What these events complete and is about paying: messages at once, an artifact with its last chunk or at the end of the turn.
 * `task` is as the events left it.
 */
export function extractPaymentParts(task: Task, events: TaskEvent[]): PaymentSource[] {
  if (!completesData(task, events)) return noSources;
  const sources = new Map<string, PaymentSource>();
  const add = (source: PaymentSource): void => {
    if (source.parts.some(isPaymentPart)) sources.set(`${source.kind} ${source.id}`, source);
  };
  const addArtifacts = (matches: (artifactId: string) => boolean): void => {
    for (const { artifactId: id, parts } of task.artifacts)
      if (matches(id)) add({ kind: 'artifact', id, parts: [...parts] });
  };
  for (const event of events) {
    if (event.type === 'artifact') {
      if (event.lastChunk) addArtifacts((id) => id === event.artifact.artifactId);
      continue;
    }
    if (event.type === 'message') continue;
    if (isFinal(event) || (event.type === 'status' && endsTurn(event.status.state))) addArtifacts(() => true);
    const message = event.type === 'reply' ? event.message : event.status.message;
    if (message) add({ kind: 'message', id: message.messageId, parts: message.parts });
  }
  return [...sources.values()];
}

const noSources: PaymentSource[] = [];

/** Offers are data: nearly nothing that agents say needs a closer look. Artifacts are looked at when one of them is complete. */
function completesData({ artifacts }: Task, events: TaskEvent[]): boolean {
  let completes = false;
  for (const event of events) {
    if (event.type === 'artifact') completes ||= event.lastChunk;
    else if (event.type !== 'message') {
      const status = statusOf(event);
      completes ||= status !== null && endsTurn(status.state);
      if (status?.message?.parts.some(isData)) return true;
    }
  }
  return completes && artifacts.some(({ parts }) => parts.some(isData));
}

function isData({ kind }: Part): boolean {
  return kind === 'data';
}

function isPaymentPart(part: Part): boolean {
  return part.kind === 'data' && detectAp2Object(part.data) !== null;
}
