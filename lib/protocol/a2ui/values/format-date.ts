import { MAX_A2UI_DATE_SYMBOLS, MAX_A2UI_LABEL_LENGTH } from '../../limits';
import { dateFormatter } from './formatters';

interface Place {
  locale: string;
  timeZone: string;
}

/** A local date or time without an offset is formatted as it is written. */
const localPattern = /^(?:(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?))?|(\d{2}:\d{2}(?::\d{2})?))$/;

const token = /'([^']*)'|([yMLdEehHmsaS])\2*/g;

/**
 * Formats a date, a time or both by a pattern of Unicode TR 35, such as `EEE, d MMM yyyy`. Returns the text unchanged if
 * it is not a date. The symbols after the first `MAX_A2UI_DATE_SYMBOLS` are empty.
 */
export function formatDate(text: string, pattern: string, { locale, timeZone }: Place): string {
  const local = localPattern.exec(text);
  const instant = local ? new Date(`${local[1] ?? '1970-01-01'}T${local[2] ?? local[3] ?? '00:00'}Z`) : new Date(text);
  if (Number.isNaN(instant.getTime()) || text === '') return text;
  const zone = local ? 'UTC' : timeZone;
  let count = 0;
  return pattern.slice(0, MAX_A2UI_LABEL_LENGTH).replace(token, (symbol, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted || "'";
    count += 1;
    return count > MAX_A2UI_DATE_SYMBOLS ? '' : formatSymbol(symbol, instant, { locale, timeZone: zone });
  });
}

function formatSymbol(symbol: string, instant: Date, { locale, timeZone }: Place): string {
  const part = (type: Intl.DateTimeFormatPartTypes, options: Intl.DateTimeFormatOptions): string =>
    dateFormatter(locale, { ...options, timeZone })
      .formatToParts(instant)
      .find((one) => one.type === type)?.value ?? '';
  const { length } = symbol;
  const padded = (text: string): string => (length > 1 ? text.padStart(length, '0') : String(Number(text)));
  switch (symbol[0]) {
    case 'y':
      return length === 2 ? part('year', { year: '2-digit' }) : part('year', { year: 'numeric' });
    case 'M':
    case 'L':
      if (length <= 2) return padded(part('month', { month: 'numeric' }));
      return part('month', { month: length === 3 ? 'short' : 'long', day: 'numeric' });
    case 'd':
      return padded(part('day', { day: 'numeric' }));
    case 'E':
    case 'e':
      return part('weekday', { weekday: length <= 3 ? 'short' : 'long' });
    case 'H':
      return padded(part('hour', { hour: 'numeric', hourCycle: 'h23' }));
    case 'h':
      return padded(part('hour', { hour: 'numeric', hourCycle: 'h12' }));
    case 'm':
      return padded(part('minute', { hour: 'numeric', minute: 'numeric' }));
    case 's':
      return padded(part('second', { minute: 'numeric', second: 'numeric' }));
    case 'a':
      return part('dayPeriod', { hour: 'numeric', hourCycle: 'h12' });
    default:
      return padded(String(Math.floor(instant.getUTCMilliseconds() / 10 ** Math.max(0, 3 - length))));
  }
}
