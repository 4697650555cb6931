import { useLocale, useTimeZone } from 'next-intl';

/**
 * Returns the reader's formats, on the server and in the browser. The time zone is known from the second page; until
 * then it is UTC (for a single time, use `DateTime`).
 */
export function useFormat(): Format {
  return formatOf(useLocale(), useTimeZone() ?? 'UTC');
}

/** `day` "Nov 20, 2026", `moment` with hour and minute, `exact` with seconds, `time` "3:04:05 PM", `full` with the weekday. */
export type DateStyle = 'day' | 'moment' | 'exact' | 'time' | 'full';

const dateStyles: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  day: { dateStyle: 'medium' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  exact: { dateStyle: 'medium', timeStyle: 'medium' },
  time: { timeStyle: 'medium' },
  full: { dateStyle: 'full', timeStyle: 'medium' },
};

const relativeUnits = [
  { unit: 'minute', ms: 60_000, until: 3_600_000 },
  { unit: 'hour', ms: 3_600_000, until: 86_400_000 },
  { unit: 'day', ms: 86_400_000, until: 7 * 86_400_000 },
] as const;

/** Formats for numbers, durations, sizes, lists and dates in a language and time zone. */
export interface Format {
  /** "1,234.5"; at most two decimals unless `options` specify otherwise. */
  number: (value: number, options?: Intl.NumberFormatOptions) => string;
  /** "12K", "1.2M": for figures and axes. */
  compact: (value: number) => string;
  /** A share of 1 as "99.5%", with at most one decimal. Rounding never hides a single failure or success. */
  percent: (share: number) => string;
  /** A rating, always with one decimal: "4.0". */
  rating: (stars: number) => string;
  /** Milliseconds as "309 ms", "2.8 s", "1 min 5 s", "2 hr 3 min". */
  duration: (ms: number) => string;
  /** "812 bytes", "1.4 kB", "12 MB" (decimal units). */
  bytes: (size: number) => string;
  /** "a, b, and c", or "a, b, or c". */
  list: (items: readonly string[], type?: Intl.ListFormatType) => string;
  /** A time in the reader's time zone. `at` is ISO 8601. The text includes the zone if it is UTC. */
  date: (at: string, style?: DateStyle) => string;
  /** "now", "5 minutes ago", "yesterday"; the day if it is a week or more. */
  relative: (at: string, now: number) => string;
}

/** Returns true for all names that browsers have for UTC. */
export function isUtc(timeZone: string): boolean {
  return /^(Etc\/)?(UTC|GMT)$/.test(timeZone);
}

const formats = new Map<string, Format>();

/** Returns the formats of a language (BCP 47) and a time zone (IANA). */
export function formatOf(locale: string, timeZone: string): Format {
  const key = `${locale} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  // Few combinations are in use, and a hostile client must not fill the cache.
  if (formats.size > 500) formats.clear();
  const format = { ...numberFormats(locale), ...dateFormats(locale, timeZone) };
  formats.set(key, format);
  return format;
}

function numberFormats(locale: string): Omit<Format, 'date' | 'relative'> {
  const plain = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const rating = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return {
    number: (value, options) => (options ? new Intl.NumberFormat(locale, options) : plain).format(value),
    compact: (value) =>
      new Intl.NumberFormat(locale, {
        notation: 'compact',
        maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1,
      }).format(value),
    percent: (share) =>
      percent.format(
        share <= 0 || share >= 1 ? share : Math.min(0.999, Math.max(0.001, Math.round(share * 1_000) / 1_000)),
      ),
    rating: (stars) => rating.format(stars),
    duration: (ms) => durationOf(locale, ms),
    bytes: (size) => bytesOf(locale, size),
    list: (items, type = 'conjunction') => new Intl.ListFormat(locale, { type }).format(items),
  };
}

function dateFormats(locale: string, timeZone: string): Pick<Format, 'date' | 'relative'> {
  const inZone = (style: DateStyle) => new Intl.DateTimeFormat(locale, { ...dateStyles[style], timeZone });
  const byStyle: Partial<Record<DateStyle, Intl.DateTimeFormat>> = {};
  const date: Format['date'] = (at, style = 'day') => {
    byStyle[style] ??= inZone(style);
    const text = byStyle[style].format(new Date(at));
    return isUtc(timeZone) && style !== 'day' ? `${text} UTC` : text;
  };
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    date,
    relative: (at, now) => {
      const passed = now - Date.parse(at);
      if (Math.abs(passed) < 60_000) return relative.format(0, 'second');
      const unit = relativeUnits.find(({ until }) => Math.abs(passed) < until);
      return unit ? relative.format(-Math.trunc(passed / unit.ms), unit.unit) : date(at);
    },
  };
}

/** Formats a duration in its two largest units; below a minute, in seconds with one decimal. */
function durationOf(locale: string, ms: number): string {
  const unit = (value: number, name: string) => unitText(locale, value, name);
  if (ms < 1_000) return unit(Math.round(ms), 'millisecond');
  if (ms < 59_950) return unit(Math.round(ms / 100) / 10, 'second');
  const seconds = Math.round(ms / 1_000);
  const steps = [
    [86_400, 'day', 3_600, 'hour'],
    [3_600, 'hour', 60, 'minute'],
    [60, 'minute', 1, 'second'],
  ] as const;
  const [size, name, part, partName] = steps.find(([least]) => seconds >= least) ?? steps[2];
  const rest = Math.floor((seconds % size) / part);
  return [unit(Math.floor(seconds / size), name), ...(rest > 0 ? [unit(rest, partName)] : [])].join(' ');
}

/** Formats seconds with their symbol, "2.8 s", because the short form of English, "2.8 sec", is not a symbol. */
function unitText(locale: string, value: number, unit: string): string {
  const unitDisplay = unit === 'second' ? 'narrow' : 'short';
  const parts = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay,
    maximumFractionDigits: 1,
  }).formatToParts(value);
  const spaced = parts.some(({ type, value: text }) => type === 'literal' && text.trim() === '');
  return parts
    .map(({ type, value: text }) => (type === 'unit' && !spaced ? ` ${text}` : text))
    .join('')
    .trim();
}

function bytesOf(locale: string, size: number): string {
  const text = (value: number, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, { style: 'unit', useGrouping: false, ...options }).format(value);
  if (size < 1_000) return text(size, { unit: 'byte', unitDisplay: 'long' });
  const [unit, divisor] = size < 999_500 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  const digits = size / divisor < 9.95 ? 1 : 0;
  return text(size / divisor, { unit, minimumFractionDigits: digits, maximumFractionDigits: digits });
}
