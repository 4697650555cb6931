import type { StreamEvent, TaskState } from '../../wire.js';
import { fromV03Event } from '../a2a-v03.js';
import { isObject, isText, type JsonObject, objectOf, objectsOf } from '../json-value.js';
import type { Notes } from './notes.js';
import { notePartFaults } from './read-parts.js';

interface Reading {
  version: '0.3' | '1.0';
  notes: Notes;
}

const states = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'failed',
  'canceled',
  'rejected',
] as const;
const wrappers = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const;
const kinds = ['task', 'message', 'status-update', 'artifact-update'];

/** Returns the name of a state in a version. */
function nameOf(state: string, version: Reading['version']): string {
  return version === '0.3' ? state : `TASK_STATE_${state.toUpperCase().replace('-', '_')}`;
}

/**
 * Reads the result of a send, or of an event of a stream, and notes what is wrong with it. Returns the event in the form
 * of A2A 1.0; null if it cannot be used.
 */
export function readEvent(value: unknown, reading: Reading): StreamEvent | null {
  const { version, notes } = reading;
  const kind = isObject(value) ? kinds.find((name) => value.kind === name) : undefined;
  const wrapper = isObject(value) ? wrappers.find((name) => isObject(value[name])) : undefined;
  if (isObject(value) && version === '1.0' && kind !== undefined && wrapper === undefined) {
    return noteOtherVersion(value, reading, '0.3');
  }
  if (isObject(value) && version === '0.3' && wrapper !== undefined && kind === undefined) {
    return noteOtherVersion(value, reading, '1.0');
  }
  const inner = version === '1.0' && isObject(value) && wrapper ? objectOf(value[wrapper]) : objectOf(value);
  const type = version === '1.0' ? wrapper : wrappers[kinds.indexOf(kind ?? '')];
  if (type === undefined) {
    const expected =
      version === '1.0' ? `an object with one of ${wrappers.join(', ')}` : `an object with a kind: ${kinds.join(', ')}`;
    notes.add('messages.shape', {
      found: value,
      expected,
      remedy: 'Send the objects of the version that the card declares.',
    });
    return null;
  }
  const isGood = noteMembers(type, inner, reading);
  noteContent(type, inner, reading);
  if (!isGood) return null;
  const event = version === '1.0' ? ({ [type]: inner } as object as StreamEvent) : fromV03Event(inner);
  return event && withKnownState(event);
}

/** Reads the result of `GetTask` or `CancelTask`, which is a task without a wrapper in 1.0. */
export function readTask(value: unknown, reading: Reading): StreamEvent | null {
  if (reading.version === '0.3' || !isObject(value) || 'kind' in value) return readEvent(value, reading);
  return readEvent({ task: value }, reading);
}

function noteOtherVersion(value: JsonObject, { version, notes }: Reading, other: string): null {
  const found = `an answer of A2A ${other}: ${JSON.stringify(value)}`;
  const remedy = `Answer in A2A ${version} where the card declares it, or declare protocolVersion ${other}.`;
  notes.add('versions.spoken', { found, expected: `an answer of A2A ${version}`, remedy });
  return null;
}

type EventType = (typeof wrappers)[number];

/** Notes missing ids and statuses; returns false if one is missing. */
function noteMembers(type: EventType, value: JsonObject, { version, notes }: Reading): boolean {
  const ids: Record<EventType, string[]> = {
    task: ['id', 'contextId'],
    message: ['messageId'],
    statusUpdate: ['taskId', 'contextId'],
    artifactUpdate: ['taskId', 'contextId'],
  };
  const missing = ids[type].filter((name) => !isText(value[name]));
  const hasStatus = type === 'task' || type === 'statusUpdate';
  if (hasStatus && typeof objectOf(value.status).state !== 'string') missing.push('status.state');
  if (type === 'artifactUpdate' && !isText(objectOf(value.artifact).artifactId)) missing.push('artifact.artifactId');
  const role = version === '1.0' ? 'ROLE_AGENT' : 'agent';
  if (type === 'message' && value.role !== role) missing.push(`role "${role}"`);
  if (missing.length === 0) return true;
  const remedy = `Add ${missing.join(', ')}.`;
  notes.add('messages.shape', { found: value, expected: `${type} with ${missing.join(', ')}`, remedy });
  return false;
}

/** Notes what is wrong with states and parts. */
function noteContent(type: EventType, value: JsonObject, reading: Reading): void {
  if (type === 'task' || type === 'statusUpdate') {
    const { state, message } = objectOf(value.status);
    if (typeof state === 'string') noteState(state, reading);
    if (isObject(message)) notePartFaults(message, 'a message', reading);
  }
  if (type === 'message') notePartFaults(value, 'a message', reading);
  if (type === 'task')
    for (const artifact of objectsOf(value.artifacts)) notePartFaults(artifact, 'an artifact', reading);
  if (type === 'artifactUpdate') notePartFaults(objectOf(value.artifact), 'an artifact', reading);
}

function noteState(state: string, { version, notes }: Reading): void {
  const known = states.map((name) => nameOf(name, version));
  if (known.includes(state)) return;
  notes.add('messages.states', {
    found: `state ${JSON.stringify(state)}`,
    expected: `a state of A2A ${version}, such as ${known[4]}`,
    remedy: 'Use the names of states of the version that the interface declares.',
  });
}

/** An unknown state counts as the end of the work, so that nothing waits for a task that may never change. */
function withKnownState(event: StreamEvent): StreamEvent {
  const holder = 'task' in event ? event.task : 'statusUpdate' in event ? event.statusUpdate : null;
  if (!holder) return event;
  const found = states.find((name) => [name, nameOf(name, '1.0')].includes(holder.status.state));
  const state = nameOf(found ?? 'completed', '1.0') as TaskState;
  const changed = { ...holder, status: { ...holder.status, state } };
  return 'task' in event ? { task: changed as typeof event.task } : { statusUpdate: changed as object as never };
}
