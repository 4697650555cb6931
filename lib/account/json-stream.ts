/** A member of the export: a value, a list that is read as it is written, or pieces of JSON that are written as they are. */
export type Member =
  | { name: string; value: object }
  | { name: string; items: AsyncIterable<object> }
  | { name: string; chunks: AsyncIterable<AsyncIterable<string>> };

/** One JSON object of these members as pieces of text, each made when it is asked for: of a long list one item at a time. */
export async function* streamJsonObject(members: Member[]): AsyncGenerator<string> {
  for (const [index, member] of members.entries()) {
    yield `${index === 0 ? '{' : ',\n'}${JSON.stringify(member.name)}:`;
    if ('value' in member) yield JSON.stringify(member.value);
    else if ('items' in member) yield* streamJsonArray(member.items, (item) => [JSON.stringify(item)]);
    else yield* streamJsonArray(member.chunks, (chunks) => chunks);
  }
  yield '}\n';
}

/** A JSON list whose items are written by `write`. */
export async function* streamJsonArray<Item>(
  items: AsyncIterable<Item>,
  write: (item: Item) => Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const item of items) {
    yield separator;
    separator = ',\n';
    yield* write(item);
  }
  yield separator === '[' ? '[]' : ']';
}
