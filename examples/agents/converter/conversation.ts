import { answerCalendar, type CalendarRequest, readCalendar, refineCalendar } from './calendar';
import { answerClock, type ClockRequest, readClock, refineClock } from './clock';
import type { Day } from './dates';
import { readNumber } from './numbers';
import { type Answer, answerQuantity, type QuantityRequest, readQuantity, readUnit } from './quantity';

type Request =
  | { about: 'quantity'; request: QuantityRequest }
  | { about: 'calendar'; request: CalendarRequest }
  | { about: 'clock'; request: ClockRequest };

const UNKNOWN =
  'What should I convert? For example “12 miles to km”, “50 USD in EUR”, “15:30 in Rome to Tokyo” or “days between 1 May 2026 and today”.';

/**
 * Answers the last of a caller's messages in one task; it may complete the request of the earlier ones.
 * @param messages the texts, oldest first
 */
export function answerTo(messages: string[], now: Date): Answer {
  const today = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, day: now.getUTCDate() };
  let known: Request | null = null;
  for (const text of messages) known = (known && refine(known, text, today)) ?? read(text, today);
  return known ? answer(known, now) : { question: UNKNOWN };
}

function read(text: string, today: Day): Request | null {
  const calendar = readCalendar(text, today);
  if (calendar) return { about: 'calendar', request: calendar };
  const clock = readClock(text, today);
  if (clock) return { about: 'clock', request: clock };
  const quantity = readQuantity(text);
  return quantity && { about: 'quantity', request: quantity };
}

/** Completes a request with this answer; a message that is a whole request replaces it. */
function refine(known: Request, text: string, today: Day): Request {
  const fresh = read(text, today);
  if (fresh && isComplete(fresh)) return fresh;
  switch (known.about) {
    case 'quantity':
      return { about: 'quantity', request: refineQuantity(known.request, text) };
    case 'calendar':
      return { about: 'calendar', request: refineCalendar(known.request, text, today) };
    case 'clock':
      return { about: 'clock', request: refineClock(known.request, text) };
  }
}

function refineQuantity(request: QuantityRequest, text: string): QuantityRequest {
  const units = readUnit(text);
  if (units.length > 0) return request.from.length === 0 ? { ...request, from: units } : { ...request, to: units };
  const number = readNumber(text.trim());
  return number ? { ...request, amount: number.value } : request;
}

function isComplete({ about, request }: Request): boolean {
  if (about === 'quantity') return request.amount !== null && request.from.length > 0 && request.to.length > 0;
  if (about === 'clock') return request.to !== null && (request.time === null || request.from !== null);
  return 'text' in answerCalendar(request);
}

function answer(known: Request, now: Date): Answer {
  switch (known.about) {
    case 'quantity':
      return answerQuantity(known.request);
    case 'calendar':
      return answerCalendar(known.request);
    case 'clock':
      return answerClock(known.request, now);
  }
}
