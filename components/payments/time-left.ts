/** A stretch of time in its two largest units: "3 days 4 h", "1 h 5 min", "14 min 32 s". `ms` is positive. */
export function timeLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const units = [
    [Math.floor(seconds / 86_400), seconds >= 172_800 ? 'days' : 'day'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = units.findIndex(([amount]) => amount > 0);
  return units
    .slice(Math.max(0, first), first + 2)
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}
