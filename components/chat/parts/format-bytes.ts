/** A human-readable size: "812 bytes", "1.4 kB", "12 MB" (decimal units). */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatUnit(bytes, { unit: 'byte', unitDisplay: 'long' });
  const [unit, divisor] = bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  const size = bytes / divisor;
  const digits = size < 10 ? 1 : 0;
  return formatUnit(Number(size.toFixed(digits)), { unit, minimumFractionDigits: digits });
}

function formatUnit(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat('en', { style: 'unit', useGrouping: false, ...options }).format(value);
}
