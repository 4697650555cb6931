import { isA2uiPart } from '../../a2ui/messages/read-messages';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../json';
import type { Part } from '../core/model';

// Before 1.0 text and data have no media type, and data is an object. A2UI writes the media type as `mimeType` in the
// metadata. The official SDKs wrap all other data in `value` and mark it.

const mediaTypeKey = 'mimeType';
const wrappedKey = 'data_part_compat';

/** Returns the metadata of a text or data part before A2A 1.0, including its media type. */
export function withMediaType({ mediaType, metadata }: Part): JsonObject | undefined {
  if (mediaType === undefined || metadata?.[mediaTypeKey] !== undefined) return metadata;
  return { ...metadata, [mediaTypeKey]: mediaType };
}

/** Returns the members of a data part before A2A 1.0; {@link unwrapData} restores its data. */
export function wrapData(part: Part & { kind: 'data' }): { data: JsonObject; metadata: JsonObject | undefined } {
  const metadata = withMediaType(part);
  if (isObject(part.data)) return { data: part.data, metadata };
  // Agents of these versions send and expect one message of A2UI in a part, because their SDKs permit no list.
  const [message] = Array.isArray(part.data) && part.data.length === 1 && isA2uiPart(part) ? part.data : [];
  if (isObject(message)) return { data: message, metadata };
  return { data: { value: part.data }, metadata: { ...metadata, [wrappedKey]: true } };
}

/** Returns the data part that {@link wrapData} or an official SDK wrote. */
export function unwrapData(data: JsonValue, metadata: JsonObject | undefined): Part & { kind: 'data' } {
  const mediaType = mediaTypeIn(metadata);
  if (metadata?.[wrappedKey] !== true || !isObject(data) || data.value === undefined) {
    return { kind: 'data', data, mediaType, metadata };
  }
  const { [wrappedKey]: _, ...others } = metadata;
  const rest = Object.keys(others).length === 0 ? undefined : others;
  return { kind: 'data', data: data.value, mediaType, metadata: rest };
}

/** Returns the media type in the metadata of a text or data part; undefined if there is none. */
export function mediaTypeIn(metadata: JsonObject | undefined): string | undefined {
  return nonEmptyString(metadata?.[mediaTypeKey]);
}
