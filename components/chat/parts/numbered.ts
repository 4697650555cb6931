/** Items with their places, for lists whose items have no name of their own and never change places. */
export function numbered<Item>(items: readonly Item[]): { item: Item; at: number }[] {
  return items.map((item, at) => ({ item, at }));
}
