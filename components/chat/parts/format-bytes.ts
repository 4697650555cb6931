/** A size for people: "812 bytes", "1.4 kB", "12 MB" (decimal units). */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [unit, divisor] = bytes < 1_000_000 ? (['kB', 1_000] as const) : (['MB', 1_000_000] as const);
  const size = bytes / divisor;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}
