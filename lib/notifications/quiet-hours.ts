import { MINUTE_MS } from '../platform/time';
import type { WebPushSetting } from './store/device-rows';

const DAY_MINUTES = 24 * 60;

/** Returns the end of the quiet hours at `now`; null outside of them. */
export function endOfQuietHours(
  { quietFrom, quietUntil, timeZone }: Pick<WebPushSetting, 'quietFrom' | 'quietUntil' | 'timeZone'>,
  now: Date,
): Date | null {
  if (quietFrom === null || quietUntil === null) return null;
  const minute = minuteOfDay(timeZone, now);
  const length = (quietUntil - quietFrom + DAY_MINUTES) % DAY_MINUTES;
  const elapsed = (minute - quietFrom + DAY_MINUTES) % DAY_MINUTES;
  if (elapsed >= length) return null;
  return new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + (length - elapsed) * MINUTE_MS);
}

/** Returns the minutes since midnight in a time zone. */
function minuteOfDay(timeZone: string, now: Date): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' });
  const [hour = '0', minute = '0'] = format.format(now).split(':');
  return Number(hour) * 60 + Number(minute);
}

/** Returns false for a time zone that this runtime does not know. */
export function isTimeZone(timeZone: string): boolean {
  try {
    minuteOfDay(timeZone, new Date(0));
    return true;
  } catch {
    return false;
  }
}

/** Returns the minutes since midnight of a time such as `22:00`. */
export function toMinutes(time: string): number {
  const [hour = '0', minute = '0'] = time.split(':');
  return Number(hour) * 60 + Number(minute);
}

/** Returns the time of day, such as `22:00`, for a number of minutes since midnight. */
export function toTimeOfDay(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
