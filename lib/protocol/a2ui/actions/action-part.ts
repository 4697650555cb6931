import type { Part } from '../../a2a/core/model';
import { isPaymentData } from '../../forms/read-form';
import { isObject, type JsonObject, type JsonValue } from '../../json';
import { MAX_A2UI_ACTION_SIZE, MAX_JSON_DEPTH } from '../../limits';
import { A2UI_MEDIA_TYPE } from '../messages/read-messages';
import { readName } from '../messages/surface';
import type { SurfaceAction } from './surface-action';

/** The metadata by which a surface's data is sent. */
const dataNames = ['a2uiRendererDataModel', 'a2uiClientDataModel'];

/** Returns the data of the surface, for the metadata of the message. */
export function actionMetadata(action: SurfaceAction | undefined): JsonObject {
  const entries = Object.entries(action?.metadata ?? {}).filter(([name]) => dataNames.includes(name));
  return Object.fromEntries(entries);
}

/**
 * Returns the part of a message that reports an action: the message of the protocol, in 0.8 alone and later in a list,
 * and the text of the button for the conversation. Also accepts the call of a tool, which an app (MCP Apps) asked for.
 * Returns the fault of another message, one that is too large, and one that contains a payment.
 */
export function toActionPart(action: SurfaceAction): { part: Part } | { fault: string } {
  const { label, message } = action;
  if (JSON.stringify(action).length > MAX_A2UI_ACTION_SIZE) return { fault: 'action: too large.' };
  if (containsPayment([message, action.metadata ?? null], 0)) {
    return { fault: 'action: a payment cannot be approved on a surface.' };
  }
  const marks = { 'parley.view': 'action', 'parley.label': label };
  if (isToolCall(message)) {
    const data = { tool: message.tool, arguments: message.arguments };
    return { part: { kind: 'data', data, metadata: marks } };
  }
  const metadata = { mimeType: A2UI_MEDIA_TYPE, ...marks };
  const common = { kind: 'data', mediaType: A2UI_MEDIA_TYPE, metadata } as const;
  if (isAction(message.userAction)) return { part: { ...common, data: { userAction: message.userAction } } };
  const { version } = message;
  if (typeof version !== 'string' || !/^v?(0\.9|0\.9\.1|1\.0)$/.test(version) || !isAction(message.action)) {
    return { fault: 'action: expected a message of A2UI that reports an action.' };
  }
  return { part: { ...common, data: [{ version, action: message.action }] } };
}

/** The call of a tool that an app asked for, in the shape that agents of MCP servers read. */
function isToolCall({ tool, arguments: input }: JsonObject): boolean {
  return readName(tool) !== null && isObject(input);
}

function isAction(value: JsonValue | undefined): value is JsonObject {
  if (!isObject(value)) return false;
  const { name, surfaceId, sourceComponentId, timestamp, context } = value;
  const names = [name, surfaceId, sourceComponentId];
  return names.every((one) => readName(one) !== null) && typeof timestamp === 'string' && isObject(context);
}

function containsPayment(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_JSON_DEPTH || isPaymentData(value)) return true;
  return Object.values(value).some((member) => containsPayment(member ?? null, depth + 1));
}
