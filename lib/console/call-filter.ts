import type { CallFilter } from '../observability/schema';
import { CALL_RANGES_MS } from './limits';
import type { CallQuery } from './schema';

/** The filter of a query at `now`. Local times of the query are in its time zone. */
export function toCallFilter(query: CallQuery, now: Date): CallFilter {
  const { status, code, method, caller, origin, q, zone = 'UTC' } = query;
  const chosen = { status, code, method, caller, origin, q };
  if (query.from || query.to) {
    return { ...chosen, from: boundOf(query.from, zone), to: boundOf(query.to, zone) };
  }
  return query.range ? { ...chosen, from: new Date(now.getTime() - CALL_RANGES_MS[query.range]) } : chosen;
}

function boundOf(local: string | undefined, zone: string): Date | undefined {
  return local === undefined ? undefined : instantOf(local, zone);
}

/** The instant of a local time (`2026-11-22T04:30`) in a time zone. */
export function instantOf(local: string, zone: string): Date {
  const asUtc = new Date(`${local}Z`);
  // The offset must be that of the result itself; around a clock change, a second step finds it.
  const first = new Date(asUtc.getTime() - offsetAt(asUtc, zone));
  return new Date(asUtc.getTime() - offsetAt(first, zone));
}

/** The zone's UTC offset at an instant, milliseconds. */
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
