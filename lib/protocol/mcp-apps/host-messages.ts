import type { JsonObject } from '../json';
import type { McpApp } from './read-app';
import type { FrameMessage, Wish } from './read-frame-message';

/** The revision of MCP Apps that the chat implements. */
const REVISION = '2026-01-26';

/** The circumstances of an app that it may know. */
export interface HostContext {
  theme: 'light' | 'dark';
  locale: string;
  timeZone: string;
  /** Colors and fonts of the page, by the names of the specification. */
  variables: Record<string, string>;
  maxHeight: number;
  /** True if the person may answer the agent, so that the app may ask to send something. */
  canSend: boolean;
}

type Id = string | number;

function result(id: Id, value: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result: value };
}

function failure(id: Id, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function notification(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

function initializeResult({ canSend, ...context }: HostContext): JsonObject {
  return {
    protocolVersion: REVISION,
    hostInfo: { name: 'Parley', version: '1' },
    hostCapabilities: { openLinks: {}, ...(canSend && { message: { text: {} }, serverTools: {} }) },
    hostContext: contextOf(context),
  };
}

/** Returns the notification of a changed context, such as another theme. */
export function contextChanged({ canSend: _, ...context }: HostContext): JsonObject {
  return notification('ui/notifications/host-context-changed', contextOf(context));
}

function contextOf({ theme, locale, timeZone, variables, maxHeight }: Omit<HostContext, 'canSend'>): JsonObject {
  return {
    ...{ theme, locale, timeZone, styles: { variables }, displayMode: 'inline', availableDisplayModes: ['inline'] },
    ...{ containerDimensions: { maxHeight }, platform: 'web', userAgent: 'parley' },
  };
}

function callOf({ input, result: value }: Pick<McpApp, 'input' | 'result'>): JsonObject[] {
  const messages = [notification('ui/notifications/tool-input', { arguments: input })];
  if (value) messages.push(notification('ui/notifications/tool-result', value));
  return messages;
}

/** Returns the message that starts an app in the sandbox. */
export function resourceReady(html: string): JsonObject {
  return notification('ui/notifications/sandbox-resource-ready', { html, sandbox: 'allow-scripts' });
}

/** Returns the messages by which the host answers at once; empty for a message without an answer. */
export function answersTo(
  message: FrameMessage,
  app: Pick<McpApp, 'input' | 'result'>,
  context: HostContext,
): JsonObject[] {
  switch (message.kind) {
    case 'initialize':
      return [result(message.id, initializeResult(context))];
    case 'initialized':
      return callOf(app);
    case 'ping':
      return [result(message.id, {})];
    case 'display-mode':
      return [result(message.id, { mode: 'inline' })];
    case 'refused':
      return [failure(message.id, message.code, message.message)];
    default:
      return [];
  }
}

/** Returns the answer to a wish while the person decides about another one. */
export function busy(id: Id): JsonObject {
  return failure(id, -32_000, 'The person is still deciding about another request.');
}

/** Returns the answer to a wish after the decision. The answer to a call of a tool follows in the conversation. */
export function decided(id: Id, { kind }: Wish, isGranted: boolean): JsonObject {
  const text = isGranted ? 'The call was sent. Its answer follows in the conversation.' : 'The person declined.';
  if (kind === 'tool') return result(id, { content: [{ type: 'text', text }], isError: !isGranted });
  return result(id, isGranted ? {} : { isError: true });
}
