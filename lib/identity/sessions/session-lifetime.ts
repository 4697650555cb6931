import { SESSION_IDLE_MS, SESSION_TOUCH_INTERVAL_MS } from '../limits';

interface SessionTimes {
  expires: Date;
  lastSeenAt: Date;
}

/**
 * The time at which the session expires if it is not used again: after 14 idle days or 30 days in total, whichever is
 * first.
 */
export function expiryOf({ expires, lastSeenAt }: SessionTimes): Date {
  return new Date(Math.min(expires.getTime(), lastSeenAt.getTime() + SESSION_IDLE_MS));
}

export function isExpired(session: SessionTimes, now: Date): boolean {
  return expiryOf(session) <= now;
}

/** True if `lastSeenAt` is old enough to be written again. */
export function shouldTouch({ lastSeenAt }: SessionTimes, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() >= SESSION_TOUCH_INTERVAL_MS;
}
