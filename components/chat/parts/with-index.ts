/** Items with their index, for lists whose items have no id and never move. */
export function withIndex<Item>(items: readonly Item[]): { item: Item; at: number }[] {
  return items.map((item, at) => ({ item, at }));
}
