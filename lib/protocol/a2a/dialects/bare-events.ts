import { isObject, type JsonObject, type JsonValue } from '../../json';
import type { RpcRequest } from '../../jsonrpc';
import { statusOf, type TaskEvent } from '../core/events';
import type { PushDialect, Task } from '../core/model';
import { toV03Task } from './v03/encode';
import { toV10Event } from './v10/encode';

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

/** The body of a push. */
interface PushBody {
  contentType: string;
  body: JsonObject;
}

/**
 * Returns the push for an event; null for none. A2A 1.0 (§4.3.3) pushes a StreamResponse for every event; 0.3 (§9.5)
 * pushes the task, including new artifacts, on every status change. `task` is the task after the event.
 */
export function toPushBody(dialect: PushDialect, event: TaskEvent, task: Task): PushBody | null {
  if (dialect === '0.3') {
    return statusOf(event) ? { contentType: 'application/json', body: toV03Task(task) } : null;
  }
  const body = toV10Event(event, { taskId: task.id, contextId: task.contextId });
  return body && { contentType: 'application/a2a+json', body };
}
