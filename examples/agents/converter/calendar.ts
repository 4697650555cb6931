import { addDays, addMonths, type Day, daysBetween, type FoundDay, findDays, formatDay } from './dates';
import { formatNumber, readNumber } from './numbers';
import type { Answer } from './quantity';

/** A question about days: the number between two days, the day at some distance, or a day's weekday. */
export type CalendarRequest =
  | { kind: 'between'; days: FoundDay[] }
  | { kind: 'shift'; amount: number; unit: 'day' | 'week' | 'month' | 'year'; from: FoundDay | null }
  | { kind: 'weekday'; day: FoundDay | null };

const shift = /(\S+(?:\s+\S+)?)\s+(day|week|month|year)s?\s+(after|before|from|ago)\b/i;
const later = /\bin\s+(\S+(?:\s+\S+)?)\s+(day|week|month|year)s?\b/i;

/** Reads "days between 1 May 2026 and today", "90 days after 2026-11-26", "what weekday is 24 December 2026". */
export function readCalendar(text: string, today: Day): CalendarRequest | null {
  const days = findDays(text, today);
  const moved = shift.exec(text);
  if (moved) {
    const count = lastNumber(moved[1] ?? '');
    const sign = /before|ago/i.test(moved[3] ?? '') ? -1 : 1;
    const from = /ago/i.test(moved[3] ?? '') ? { readings: [today], index: 0 } : (days.at(-1) ?? null);
    if (count !== null) return { kind: 'shift', amount: sign * count, unit: unitOf(moved[2]), from };
  }
  if (/\b(?:between|until|till|since|from)\b|\bhow (?:many days|long)\b/i.test(text) && days.length > 0) {
    const all = days.length > 1 ? days.slice(0, 2) : withToday(text, days, today);
    return { kind: 'between', days: all };
  }
  if (/\b(?:weekday|day of the week|which day|what day)\b/i.test(text))
    return { kind: 'weekday', day: days[0] ?? null };
  const ahead = later.exec(text);
  const count = ahead ? lastNumber(ahead[1] ?? '') : null;
  if (ahead && count !== null && /\b(?:date|day)\b/i.test(text.replace(ahead[0], ''))) {
    return { kind: 'shift', amount: count, unit: unitOf(ahead[2]), from: { readings: [today], index: 0 } };
  }
  return null;
}

/** "until Christmas" counts from today, "since" to today; "between" needs the other day. */
function withToday(text: string, days: FoundDay[], today: Day): FoundDay[] {
  const now = { readings: [today], index: 0 };
  if (/\bbetween\b/i.test(text)) return days;
  return /\bsince\b/i.test(text) ? [...days, now] : [now, ...days];
}

function lastNumber(words: string): number | null {
  const last = words.trim().split(/\s+/).at(-1) ?? '';
  for (const candidate of [words.trim(), last]) {
    const read = readNumber(candidate);
    if (read && read.length === candidate.length) return read.value;
  }
  return null;
}

function unitOf(word = ''): 'day' | 'week' | 'month' | 'year' {
  return word.toLowerCase() as 'day';
}

/** Completes a request with the answer to the question. */
export function refineCalendar(request: CalendarRequest, text: string, today: Day): CalendarRequest {
  const [found] = findDays(text, today);
  if (!found) return request;
  const settle = (day: FoundDay | null | undefined): FoundDay =>
    day && day.readings.length > 1 ? found : (day ?? found);
  switch (request.kind) {
    case 'between':
      return {
        kind: 'between',
        days: request.days.length > 1 ? request.days.map(settle) : [...request.days.map(settle), found],
      };
    case 'shift':
      return { ...request, from: settle(request.from) };
    case 'weekday':
      return { ...request, day: settle(request.day) };
  }
}

/** Answers, or asks for a day that is missing or ambiguous. */
export function answerCalendar(request: CalendarRequest): Answer {
  const days = request.kind === 'between' ? request.days : [request.kind === 'shift' ? request.from : request.day];
  for (const day of days) {
    if (!day) return { question: 'Which day? For example 2026-12-24 or 24 December 2026.' };
    const [first, second] = day.readings;
    if (first && second) return { question: `Is that ${formatDay(first)} or ${formatDay(second)}?` };
  }
  const [first, second] = days.flatMap((day) => day?.readings[0] ?? []);
  if (!first) return { question: 'Which day?' };
  if (request.kind === 'weekday') return { text: `**${formatDay(first)}**` };
  if (request.kind === 'shift') return answerShift(request, first);
  if (!second) return { question: `What is the other date, besides ${formatDay(first)}?` };
  const count = Math.abs(daysBetween(first, second));
  const weeks =
    count >= 7
      ? `, which is ${plural(Math.floor(count / 7), 'week')}${count % 7 ? ` and ${plural(count % 7, 'day')}` : ''}`
      : '';
  return { text: `**${plural(count, 'day')}** from ${formatDay(first)} to ${formatDay(second)}${weeks}.` };
}

function answerShift({ amount, unit }: Extract<CalendarRequest, { kind: 'shift' }>, from: Day): Answer {
  if (!Number.isInteger(amount)) return { question: `A whole number of ${unit}s, please: how many?` };
  const perUnit = { day: 1, week: 7, month: 1, year: 12 }[unit];
  const result =
    unit === 'day' || unit === 'week' ? addDays(from, amount * perUnit) : addMonths(from, amount * perUnit);
  const way = amount < 0 ? 'before' : 'after';
  return { text: `**${formatDay(result)}**, ${plural(Math.abs(amount), unit)} ${way} ${formatDay(from)}.` };
}

function plural(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
