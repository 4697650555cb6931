import type { CallFilter } from '../observability/schema';
import type { CallQuery } from './schema';

const spans = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000 } as const;

/** Which calls a query means at `now`. Days and times of the query are those of its time zone. */
export function toCallFilter(query: CallQuery, now: Date): CallFilter {
  const { status, code, method, caller, origin, q, zone = 'UTC' } = query;
  const chosen = { status, code, method, caller, origin, q };
  if (query.from || query.to) {
    return { ...chosen, from: boundOf(query.from, zone), to: boundOf(query.to, zone) };
  }
  return query.range ? { ...chosen, from: new Date(now.getTime() - spans[query.range]) } : chosen;
}

function boundOf(local: string | undefined, zone: string): Date | undefined {
  return local === undefined ? undefined : instantOf(local, zone);
}

/** The moment at which a wall clock of the zone shows `local` (`2026-11-22T04:30`). */
export function instantOf(local: string, zone: string): Date {
  const asUtc = new Date(`${local}Z`);
  // The offset is that of the moment itself; where the clock is put forward or back, one more step finds it.
  const first = new Date(asUtc.getTime() - offsetAt(asUtc, zone));
  return new Date(asUtc.getTime() - offsetAt(first, zone));
}

/** By how many milliseconds the zone's wall clock is ahead of UTC at a moment. */
function offsetAt(at: Date, zone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  const shown = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return shown - Math.floor(at.getTime() / 1000) * 1000;
}
