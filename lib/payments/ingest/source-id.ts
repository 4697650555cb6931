const maxLength = 500;

/** The id of a message or an artifact as it is stored with an order: cut at 500 UTF-16 units. */
export function toSourceId(id: string): string {
  return id.slice(0, maxLength);
}
