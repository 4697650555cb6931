/** The names of an enum's values by number, from 0 without gaps. */
export type EnumTable = Record<string, readonly string[]>;

/**
 * A field: its number, its JSON name, its type, and its label. A type is a scalar, a well-known type (`Struct`, `Value`,
 * `Timestamp`, `Empty`), a message or an enum of the table, or `map:` and the type of the values of a map with string
 * keys. A label is `repeated`, `optional` (with presence) or `oneof:` and the name of the group.
 */
export type FieldRow = readonly [number, string, string, string?];

/** The fields of each message. */
export type MessageTable = Record<string, readonly FieldRow[]>;

/** The methods of a service: request type, response type, and whether the response is a stream. */
export type MethodTable = Record<string, readonly [string, string, boolean]>;
