import { shared } from '../platform/registry';
import { isFinal, statusOf, type TaskEvent } from '../protocol/a2a/core/events';
import { endsTurn, type Part, type Task } from '../protocol/a2a/core/model';
import { findAp2Object } from '../protocol/ap2/find-object';
import type { TaskRecord } from './store/records';

/** A message or an artifact of an agent, complete, with something about paying among its data parts. */
export interface SaidSource {
  kind: 'message' | 'artifact';
  /** Its `messageId` or `artifactId`. */
  id: string;
  parts: Part[];
}

/** What an agent said about paying in one task of a person. */
export interface Said {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  sources: SaidSource[];
}

/** Told once what an agent said is on disk; again after a crash, so it must be idempotent. */
export type Hear = (said: Said) => Promise<void>;

function ear(): { hear: Hear | null } {
  return shared('offer-ear', () => ({ hear: null }));
}

/** Has `hear` told of what agents say about paying. A parameter, so that nothing of the gateway leads to what signs. */
export function onOffers(hear: Hear): void {
  ear().hear = hear;
}

/** Tells what was said, when it was said to a person: apps have nothing to pay with. */
export async function tellOffers(
  { id: taskId, principal, agentId, contextId }: Pick<TaskRecord, 'id' | 'principal' | 'agentId' | 'contextId'>,
  sources: SaidSource[],
): Promise<void> {
  const { hear } = ear();
  if (!hear || sources.length === 0 || !principal.startsWith('usr_')) return;
  await hear({ userId: principal, agentId, taskId, contextId, sources });
}

/**
 * What these events complete and is about paying: messages at once, an artifact with its last chunk or at the end of the turn.
 * `task` is as the events left it.
 */
export function completedOffers(task: Task, events: TaskEvent[]): SaidSource[] {
  if (!saysData(task, events)) return nothing;
  const sources = new Map<string, SaidSource>();
  const add = (source: SaidSource): void => {
    if (source.parts.some(isAboutPaying)) sources.set(`${source.kind} ${source.id}`, source);
  };
  const addArtifacts = (isMeant: (artifactId: string) => boolean): void => {
    for (const { artifactId: id, parts } of task.artifacts)
      if (isMeant(id)) add({ kind: 'artifact', id, parts: [...parts] });
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

const nothing: SaidSource[] = [];

/** Offers are data: nearly nothing that agents say needs a closer look. Artifacts are looked at when one of them is complete. */
function saysData({ artifacts }: Task, events: TaskEvent[]): boolean {
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

function isAboutPaying(part: Part): boolean {
  return part.kind === 'data' && findAp2Object(part.data) !== null;
}
