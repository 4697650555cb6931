/** A day of the Gregorian calendar. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

/** A day in a text, with its position; two readings for "03/04/2026". */
export interface FoundDay {
  readings: Day[];
  index: number;
}

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const month = `(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`;
const DAY_MS = 86_400_000;

type Reader = (groups: string[], today: Day) => Day[];

const readers: [pattern: RegExp, read: Reader][] = [
  [/(\d{4})-(\d{1,2})-(\d{1,2})/, ([y, m, d]) => [dayOf(y, m, d)]],
  [/(\d{1,2})\.(\d{1,2})\.(\d{4})/, ([d, m, y]) => [dayOf(y, m, d)]],
  [/(\d{1,2})\/(\d{1,2})\/(\d{4})/, ([a, b, y]) => [dayOf(y, b, a), dayOf(y, a, b)]],
  [
    new RegExp(`(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}(?:,? (\\d{4}))?`),
    ([d, m, y], today) => [dayOf(y ?? today.year, monthOf(m), d)],
  ],
  [
    new RegExp(`${month} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?`),
    ([m, d, y], today) => [dayOf(y ?? today.year, monthOf(m), d)],
  ],
  [/today|now/, (_groups, today) => [today]],
  [/tomorrow/, (_groups, today) => [addDays(today, 1)]],
  [/yesterday/, (_groups, today) => [addDays(today, -1)]],
];
const anyDay = new RegExp(readers.map(([{ source }]) => `(?<![\\p{L}\\d])${source}(?![\\p{L}\\d])`).join('|'), 'giu');

/** Finds the days in a text, in order. A date without a year is in the current year. */
export function findDays(text: string, today: Day): FoundDay[] {
  return [...text.matchAll(anyDay)].flatMap(({ 0: found, index }) => {
    const readings = readDay(found.toLowerCase(), today);
    return readings.length > 0 ? [{ readings, index }] : [];
  });
}

function readDay(found: string, today: Day): Day[] {
  for (const [pattern, read] of readers) {
    const groups = new RegExp(`^(?:${pattern.source})$`, 'i').exec(found);
    if (groups) return unlike(read(groups.slice(1), today).filter(exists));
  }
  return [];
}

function unlike(days: Day[]): Day[] {
  return days.filter((day, at) => days.findIndex((other) => daysBetween(other, day) === 0) === at);
}

function dayOf(year: unknown, month: unknown, day: unknown): Day {
  return { year: Number(year), month: Number(month), day: Number(day) };
}

function monthOf(name = ''): number {
  return months.findIndex((full) => full.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

function exists(day: Day): boolean {
  const { year, month, day: number } = day;
  const date = new Date(Date.UTC(year, month - 1, number));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === number;
}

export function daysBetween(from: Day, to: Day): number {
  return Math.round((utcOf(to) - utcOf(from)) / DAY_MS);
}

export function addDays(day: Day, count: number): Day {
  return fromUtc(utcOf(day) + count * DAY_MS);
}

/** Returns the same day of a later month, or that month's last day. */
export function addMonths({ year, month, day }: Day, count: number): Day {
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: Math.min(day, length) };
}

/** "Thursday, 26 November 2026". */
export function formatDay(day: Day): string {
  const weekday = new Date(utcOf(day)).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });
  const name = months[day.month - 1] ?? '';
  return `${weekday}, ${day.day} ${name.charAt(0).toUpperCase()}${name.slice(1)} ${day.year}`;
}

function utcOf({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day);
}

function fromUtc(ms: number): Day {
  const date = new Date(ms);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
