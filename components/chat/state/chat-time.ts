import type { Clock } from '../../ui/display/date-time';

const DAY = 86_400_000;
const MINUTE = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches formatters, which are slow to create, because a thread has hundreds of times. */
function format(at: number, locale: string, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify([locale, options]);
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(locale, options);
    formats.set(key, found);
  }
  // Some browsers write a narrow space before AM and PM.
  return found.format(at).replaceAll('\u202f', ' ');
}

/** Returns the calendar day of a point in time in a time zone, as the number of days since 1970. */
export function dayOf(at: number, timeZone: string): number {
  const date = format(at, 'en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY);
}

/** The age of a message on a page with day separators. */
type MessageAge = { kind: 'now' } | { kind: 'minutes'; minutes: number } | { kind: 'clock'; text: string };

/** Returns "just now", minutes within the last hour, otherwise the time of day. */
export function messageAge(at: number, clock: Clock, locale: string): MessageAge {
  const minutes = Math.floor((clock.now - at) / MINUTE);
  // A clock that differs from the server's must not cause times in the future.
  if (minutes >= 60 || minutes < -60)
    return { kind: 'clock', text: format(at, locale, { timeZone: clock.timeZone, timeStyle: 'short' }) };
  return minutes < 1 ? { kind: 'now' } : { kind: 'minutes', minutes };
}

/** The label of a day in a thread: today, yesterday or a date. */
type DayLabel = { kind: 'today' } | { kind: 'yesterday' } | { kind: 'date'; text: string };

export function dayLabel(at: number, clock: Clock, locale: string): DayLabel {
  const { timeZone } = clock;
  const days = dayOf(clock.now, timeZone) - dayOf(at, timeZone);
  if (days <= 0) return { kind: 'today' };
  if (days === 1) return { kind: 'yesterday' };
  const year = isSameYear(at, clock) ? {} : ({ year: 'numeric' } as const);
  return {
    kind: 'date',
    text: format(at, locale, { timeZone, weekday: 'long', month: 'long', day: 'numeric', ...year }),
  };
}

/** A section of the list of conversations. For `month`, it contains the text of its heading. */
export interface ConversationGroup<Item> {
  key: string;
  heading: 'pinned' | 'today' | 'yesterday' | 'week' | 'month';
  month: string;
  items: Item[];
}

interface Listed {
  updatedAt: string;
  pinned: boolean;
}

/** Groups the list in sections: pinned, today, yesterday, the previous seven days, then months. Preserves the order. */
export function groupConversations<Item extends Listed>(
  items: readonly Item[],
  clock: Clock,
  locale: string,
): ConversationGroup<Item>[] {
  const groups: ConversationGroup<Item>[] = [];
  for (const item of items) {
    const group = groupOf(item, clock, locale);
    const known = groups.find(({ key }) => key === group.key);
    if (known) known.items.push(item);
    else groups.push({ ...group, items: [item] });
  }
  return groups;
}

function groupOf(item: Listed, clock: Clock, locale: string): Omit<ConversationGroup<never>, 'items'> {
  const at = Date.parse(item.updatedAt);
  const days = dayOf(clock.now, clock.timeZone) - dayOf(at, clock.timeZone);
  const heading = item.pinned
    ? 'pinned'
    : days <= 0
      ? 'today'
      : days === 1
        ? 'yesterday'
        : days <= 8
          ? 'week'
          : 'month';
  if (heading !== 'month') return { key: heading, heading, month: '' };
  const year = isSameYear(at, clock) ? {} : ({ year: 'numeric' } as const);
  const month = format(at, locale, { timeZone: clock.timeZone, month: 'long', ...year });
  return { key: month, heading, month };
}

function isSameYear(at: number, { now, timeZone }: Clock): boolean {
  const [year, current] = [at, now].map((moment) => format(moment, 'en', { timeZone, year: 'numeric' }));
  return year === current;
}
