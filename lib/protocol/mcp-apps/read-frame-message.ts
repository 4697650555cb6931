import { isObject, type JsonObject, type JsonValue } from '../json';
import { MAX_MCP_APP_MESSAGE, MAX_MCP_APP_TEXT } from '../limits';

type RequestId = string | number;

/** What an app asks for. The person decides about a `wish`. */
export type FrameMessage =
  | { kind: 'initialize' | 'ping' | 'display-mode'; id: RequestId }
  | { kind: 'initialized' }
  | { kind: 'size'; height: number }
  | { kind: 'wish'; id: RequestId; wish: Wish }
  /** A request that is not supported or invalid, with its error. */
  | { kind: 'refused'; id: RequestId; code: number; message: string };

export type Wish =
  | { kind: 'link'; url: string }
  | { kind: 'message'; text: string }
  | { kind: 'tool'; name: string; input: JsonObject };

/**
 * Reads a message of an app (JSON-RPC 2.0, MCP Apps). Null for a message that is ignored: one that is invalid or too
 * large, a response, and a notification without effect.
 */
export function readFrameMessage(value: unknown): FrameMessage | null {
  if (!isObject(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return null;
  if (lengthOf(value) > MAX_MCP_APP_MESSAGE) return null;
  const params = isObject(value.params) ? value.params : {};
  const { id, method } = value;
  if (id === undefined || id === null) return readNotification(method, params);
  if (typeof id !== 'number' && !(typeof id === 'string' && id.length <= 100)) return null;
  const kinds = { 'ui/initialize': 'initialize', ping: 'ping', 'ui/request-display-mode': 'display-mode' } as const;
  if (Object.hasOwn(kinds, method)) return { kind: kinds[method as keyof typeof kinds], id };
  const read = Object.hasOwn(wishes, method) ? wishes[method] : undefined;
  if (!read) return { kind: 'refused', id, code: -32601, message: 'This host does not support the method.' };
  const wish = read(params);
  return wish ? { kind: 'wish', id, wish } : { kind: 'refused', id, code: -32602, message: 'Invalid parameters.' };
}

function lengthOf(value: JsonObject): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function readNotification(method: string, { height }: JsonObject): FrameMessage | null {
  if (method === 'ui/notifications/initialized') return { kind: 'initialized' };
  const isSize = method === 'ui/notifications/size-changed' && typeof height === 'number' && Number.isFinite(height);
  return isSize ? { kind: 'size', height } : null;
}

const wishes: Readonly<Record<string, (params: JsonObject) => Wish | null>> = {
  'ui/open-link': ({ url }) => {
    if (typeof url !== 'string' || url.length > 2_000 || !URL.canParse(url)) return null;
    return new URL(url).protocol === 'https:' ? { kind: 'link', url: new URL(url).href } : null;
  },
  'ui/message': ({ role, content }) => {
    const text = textOf(content);
    return (role === undefined || role === 'user') && text !== '' ? { kind: 'message', text } : null;
  },
  'tools/call': ({ name, arguments: input }) =>
    typeof name === 'string' && name !== '' && name.length <= 200
      ? { kind: 'tool', name, input: isObject(input) ? input : {} }
      : null,
};

/** Returns the text of content blocks; empty if there is none or if it is too long. */
function textOf(content: JsonValue | undefined): string {
  const blocks = Array.isArray(content) ? content : [content ?? null];
  const texts = blocks.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : []));
  const text = texts.join('\n').trim();
  return text.length <= MAX_MCP_APP_TEXT ? text : '';
}
