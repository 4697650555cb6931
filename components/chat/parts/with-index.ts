/** Items with their index, for lists whose items have no id and never move. */
export function withIndex<Item>(items: readonly Item[]): { item: Item; index: number }[] {
  return items.map((item, index) => ({ item, index }));
}
