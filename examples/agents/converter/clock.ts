import { type Day, findDays, formatDay } from './dates';
import type { Answer } from './quantity';
import { findPlaces, instantsOf, type Place, wallTimeAt } from './zones';

/** Converts a time of day from one place to another. A `time` of null is the current time. */
export interface ClockRequest {
  time: { hour: number; minute: number } | null;
  day: Day | null;
  from: Place | null;
  to: Place | null;
}

const timePattern =
  /(?<![\d:.,/-])(?:(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b\.?|(\d{1,2}):(\d{2})(?!\d)|(noon|midnight)\b)/i;

/** Reads "15:30 in Rome to Tokyo", "what time is it in Tokyo", "3 pm New York in London on 1 July 2026". */
export function readClock(text: string, today: Day): ClockRequest | null {
  const places = findPlaces(text);
  const time = readTime(text);
  if (!time) {
    const [place] = places;
    if (!/\btime\b/i.test(text)) return null;
    return { time: null, day: null, from: null, to: place ?? null };
  }
  if (places.length === 0 && !/\b(?:time|clock)\b/i.test(text) && text.trim().split(/\s+/).length > 3) return null;
  const day = findDays(text, today)[0]?.readings[0] ?? null;
  return { time: time.value, day, ...assign(text, places, time.index) };
}

function readTime(text: string): { value: { hour: number; minute: number }; index: number } | null {
  const found = timePattern.exec(text);
  if (!found) return null;
  const [, hour12, minute12 = '0', half, hour24, minute24, word] = found;
  const value = word
    ? { hour: /noon/i.test(word) ? 12 : 0, minute: 0 }
    : half
      ? { hour: (Number(hour12) % 12) + (/p/i.test(half) ? 12 : 0), minute: Number(minute12) }
      : { hour: Number(hour24), minute: Number(minute24) };
  const isValid = value.hour < 24 && value.minute < 60 && (!half || Number(hour12) <= 12);
  return isValid ? { value, index: found.index } : null;
}

/**
 * Determines the place of the time: that of "in Rome it is 15:30", otherwise the first one after the time, unless "to"
 * precedes it.
 */
function assign(text: string, places: Place[], at: number): Pick<ClockRequest, 'from' | 'to'> {
  const isTarget = ({ index }: Place): boolean =>
    /\b(?:to|into)\s+(?:the\s+)?(?:time\s+(?:in|of)\s+)?$/i.test(text.slice(0, index));
  const said = places.find(
    ({ index, name }) => /^\s*,?\s*(?:it is|it's|at)\s/i.test(text.slice(index + name.length)) && index < at,
  );
  const from =
    said ??
    places.find((place) => place.index > at && !isTarget(place)) ??
    places.find((place) => !isTarget(place)) ??
    null;
  const to = places.find((place) => place !== from) ?? null;
  return { from, to };
}

/** Completes a request with the answer to the question. */
export function refineClock(request: ClockRequest, text: string): ClockRequest {
  const [place] = findPlaces(text);
  if (!place) return request;
  const named = { ...place, index: 0 };
  if (request.time && !request.from) return { ...request, from: named };
  return { ...request, to: named };
}

/** Answers, or asks for the place that is missing. */
export function answerClock({ time, day, from, to }: ClockRequest, now: Date): Answer {
  if (!time) {
    if (!to) return { question: 'In which city?' };
    return { text: `It is **${timeAt(to, now.getTime())}** in ${to.name}.` };
  }
  const written = `${pad(time.hour)}:${pad(time.minute)}`;
  if (!from) return { question: `${written} in which city?` };
  if (!to) return { question: `${written} in ${from.name}: for which city do you want the time?` };
  const wall = { ...(day ?? wallTimeAt(from.zone, now.getTime())), ...time };
  const instants = instantsOf(from.zone, wall);
  const [instant, second] = instants;
  if (instant === undefined)
    return { text: `${written} does not exist in ${from.name} on ${formatDay(wall)}: clocks go forward then.` };
  const twice =
    second === undefined
      ? ''
      : ` Clocks go back then, so ${written} occurs twice: this is the first time; the second is ${timeAt(to, second)}.`;
  return { text: `${timeAt(from, instant)} in ${from.name} is **${timeAt(to, instant)}** in ${to.name}.${twice}` };
}

function timeAt({ zone }: Place, instant: number): string {
  const wall = wallTimeAt(zone, instant);
  return `${pad(wall.hour)}:${pad(wall.minute)} on ${formatDay(wall)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
