import { isObject, type JsonObject, type JsonValue } from '../../../json';
import { withJsonNames } from '../proto-names';

/**
 * The params of a send that came over 0.3's HTTP binding, as its JSON-RPC binding has them. Bodies are the ProtoJSON of
 * a2a.proto; those in the JSON schema's shape, which the specification's examples show, are read as well. What is neither
 * stays as it is, for the schema to refuse. A `blocking` that is not there is false, as in every ProtoJSON.
 */
export function toV03SendParams(body: JsonObject): JsonObject {
  const { request, message = request, configuration, ...rest } = body;
  return {
    ...rest,
    message: isObject(message) ? toMessage(message) : message,
    configuration: toConfiguration(configuration ?? {}),
  };
}

/** The configuration within a body that sets one: bare, or as `config` of a CreateTaskPushNotificationConfigRequest. */
export function toV03PushTarget(body: JsonObject): JsonValue | undefined {
  const inner = withJsonNames(isObject(body.config) ? body.config : body);
  const { pushNotificationConfig: target } = inner;
  return isObject(target) ? withoutEmpty(withJsonNames(target)) : target;
}

function toConfiguration(given: JsonValue): JsonValue {
  if (!isObject(given)) return given;
  const { pushNotification, blocking, ...others } = withJsonNames(given);
  const configuration = { ...others, blocking: blocking ?? false };
  return pushNotification === undefined
    ? configuration
    : { ...configuration, pushNotificationConfig: withoutEmpty(pushNotification) };
}

function toMessage(given: JsonObject): JsonObject {
  const { content, parts = content, role, ...message } = withJsonNames(given);
  return {
    ...(withoutEmpty(message) as JsonObject),
    role: role === 'ROLE_USER' ? 'user' : role,
    parts: Array.isArray(parts) ? parts.map(toPart) : parts,
  };
}

function toPart(part: JsonValue): JsonValue {
  if (!isObject(part) || 'kind' in part) return part;
  const { metadata } = part;
  if ('text' in part) return { kind: 'text', text: part.text, metadata };
  if (isObject(part.file)) {
    const { fileWithBytes: bytes, fileWithUri: uri, mimeType, name } = withJsonNames(part.file);
    return { kind: 'file', file: { bytes, uri, mimeType, name }, metadata };
  }
  if (isObject(part.data)) return { kind: 'data', data: part.data.data, metadata };
  return part;
}

// ProtoJSON may write what is not there as an empty text or, where it has members of its own, as an empty object.
function withoutEmpty(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const isPresent = (inner: JsonValue | undefined): boolean =>
    inner !== '' && !(isObject(inner) && Object.keys(inner).length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => isPresent(inner)));
}
