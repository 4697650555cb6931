import { isObject, type JsonObject, type JsonValue } from '../protocol/json';

export type ExtractedMessage =
  | { kind: 'message'; parts: { text: string }[] }
  | { kind: 'payment' }
  | { kind: 'unreadable'; why: string };

const payment = /^ap2\.|mandate|payment|checkout|cart|receipt/i;

/** What a logged request body of A2A says, when it is a message of text that can be said again. */
export function extractMessage(body: string): ExtractedMessage {
  if (body.includes('[secret]')) return unreadable('it held a secret, which the log does not have');
  const parts = extractParts(body);
  if (parts === null) return unreadable('its beginning alone was kept, or it is no message');
  if (parts.some(({ data }) => isObject(data) && Object.keys(data).some((name) => payment.test(name)))) {
    return { kind: 'payment' };
  }
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [{ text }] : []));
  if (texts.length === 0 || texts.length < parts.length) return unreadable('it holds more than text');
  return { kind: 'message', parts: texts };
}

function unreadable(why: string): ExtractedMessage {
  return { kind: 'unreadable', why };
}

/** The parts of the message in a JSON-RPC request, or in the body of A2A's HTTP binding. */
function extractParts(body: string): JsonObject[] | null {
  const request = parseOrNull(body);
  const params = isObject(request) && isObject(request.params) ? request.params : request;
  const message = isObject(params) ? params.message : undefined;
  const parts = isObject(message) ? (message.parts ?? message.content) : undefined;
  return Array.isArray(parts) && parts.length > 0 && parts.every(isObject) ? parts : null;
}

function parseOrNull(text: string): JsonValue | null {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
