import { isObject, type JsonValue } from '../../json';
import type { RpcRequest } from '../../jsonrpc';
import type { TaskEvent } from '../core/events';
import { endsTurn, type Message } from '../core/model';
import type { StreamEntry } from './dialect';

/**
 * Returns true if the caller expects bare events instead of a JSON-RPC response, as Web42's clients do. They are
 * recognized by a `message/send` that accepts only event streams, or that has no version, does not accept JSON, and has
 * `kind` on its parts but not on the message. Parts with `type` are from 0.1 clients, which read JSON (python-a2a).
 */
export function wantsBareEvents({ method, params }: RpcRequest, version: string, accept: string): boolean {
  if (method !== 'message/send') return false;
  const isBare = version === '' && isBareMessage(params.message);
  // Fast path for almost all calls; the header is parsed below.
  if (!isBare && !/event-stream/i.test(accept)) return false;
  const accepted = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (accepted.length === 1 && accepted[0] === 'text/event-stream') return true;
  return isBare && !accepted.includes('application/json');
}

function isBareMessage(message: JsonValue | undefined): boolean {
  if (!isObject(message) || message.kind || !Array.isArray(message.parts)) return false;
  return message.parts.some((part) => isObject(part) && Boolean(part.kind));
}

type StatusEvent = TaskEvent & { type: 'status' };

/**
 * Encodes a stream as Web42 does: it starts with a status, and the agent's reply is a `kind:"message"` event, even if
 * the agent sent it in a status. `write` encodes one event.
 */
export function encodeBareEvents(
  { taskId, contextId }: { taskId: string; contextId: string },
  write: (event: TaskEvent) => string[],
): (item: StreamEntry) => string[] {
  let isOpen = false;
  /** The message of the latest status that did not end the turn. */
  let progress: Message | undefined;
  let hasReplied = false;
  const writeReply = (message: Message, timestamp: string): string[] => {
    hasReplied = true;
    return write({ type: 'reply', message: { ...message, taskId, contextId }, timestamp });
  };
  const writeStatus = (event: StatusEvent): string[] => {
    const { message, ...status } = event.status;
    if (!endsTurn(status.state)) {
      progress = message ?? progress;
      return write(event);
    }
    const reply = message ?? (hasReplied ? undefined : progress);
    if (!reply) return write(event);
    return [...writeReply(reply, status.timestamp), ...write({ ...event, status })];
  };
  const writeEvent = (event: TaskEvent): string[] => {
    if (event.type === 'status') return writeStatus(event);
    hasReplied ||= event.type === 'reply';
    return write(event);
  };
  return (item) => {
    if ('task' in item) {
      if (isOpen) return [];
      isOpen = true;
      return writeEvent({ type: 'status', status: item.task.status });
    }
    const opening: TaskEvent = { type: 'status', status: { state: 'working', timestamp: new Date().toISOString() } };
    const first = isOpen ? [] : write(opening);
    isOpen = true;
    return [...first, ...writeEvent(item.event)];
  };
}
