import { addDays, type Day, daysBetween, findDays } from '../converter/dates';

/** A time to book. */
export interface Slot {
  /** ISO 8601, UTC. */
  start: string;
  minutes: number;
}

/** Occupied half hours, by their start. */
export interface Schedule {
  isBooked(start: string): boolean;
}

export const SLOT_MINUTES = 30;
const OPENS = 9 * 60;
const CLOSES = 17 * 60;
const MAX_MINUTES = 120;
const DAYS_AHEAD = 30;
const SHOWN_TIMES = 6;

const HOURS = 'Rooms are open Monday to Friday, 9:00 AM to 5:00 PM (UTC)';
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const counts: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, half: 0.5 };

/** The known parts of a booking; start and length in minutes. */
interface Wish {
  day: Day | null;
  time: number | null;
  minutes: number | null;
}

/** Returns the half hours that a slot covers. */
export function slotsOf({ start, minutes }: Slot): string[] {
  return Array.from({ length: minutes / SLOT_MINUTES }, (_, index) => inMinutes(start, index * SLOT_MINUTES));
}

/** Returns the time this many minutes later. */
export function inMinutes(start: string, minutes: number): string {
  return new Date(Date.parse(start) + minutes * 60_000).toISOString();
}

/** "Tuesday, December 1, 10:00 AM – 11:00 AM UTC". */
export function formatSlot({ start, minutes }: Slot): string {
  return `${formatDay(new Date(start))}, ${formatTime(start)} – ${formatTime(inMinutes(start, minutes))} UTC`;
}

/** Returns true if the text withdraws the booking. */
export function isWithdrawal(text: string): boolean {
  return /^\s*(?:please )?(?:cancel|never ?mind|forget it|stop|no,? thank|i decline)/i.test(text);
}

/**
 * Returns the time requested by a caller's messages (oldest first), or the open question. Later words replace earlier
 * ones.
 */
export function suggest(texts: string[], now: Date, schedule: Schedule): { slot: Slot } | { question: string } {
  const today = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, day: now.getUTCDate() };
  const wish: Wish = { day: null, time: null, minutes: null };
  let changed = false;
  for (const text of texts) {
    const read = readWish(text, today);
    changed = Object.values(read).some((value) => value !== null);
    Object.assign(wish, Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null)));
  }
  const { day, time, minutes } = wish;
  const free = (of: Day) => freeTimes(of, now, schedule);
  const listFree = (from: Day) => listTimes(from, free);
  if (day === null) {
    const sorry = texts.length > 1 && !changed ? 'I did not find a day or a time in that. ' : '';
    return { question: `${sorry}Which day? ${HOURS}. ${listFree(today)}` };
  }
  const fault = faultOf(wish, today);
  if (fault) {
    const isOutOfRange = daysBetween(today, day) < 0 || isTooLate(day, today);
    return { question: `${fault} ${listFree(isOutOfRange ? today : day)}` };
  }
  if (time === null) return { question: `What time? ${listFree(day)}` };
  if (minutes === null) return { question: 'For how long? 30, 60, 90 or 120 minutes; each half hour costs $12.' };
  const slot = { start: startOf(day, time), minutes };
  const times = free(day);
  if (slotsOf(slot).every((start) => times.includes(start))) return { slot };
  return { question: `${formatSlot(slot)} is not free. ${listFree(day)} Name another time, or a shorter meeting.` };
}

function readWish(text: string, today: Day): Wish {
  return { day: readDay(text, today), time: readTime(text), minutes: readMinutes(text) };
}

function readDay(text: string, today: Day): Day | null {
  const named = findDays(text, today)[0]?.readings[0];
  // "January 5", said in November, is next January's.
  if (named) return daysBetween(today, named) < -180 ? { ...named, year: named.year + 1 } : named;
  const weekday = /\b(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?s?\b/i.exec(text)?.[1];
  if (!weekday) return null;
  const ahead = (weekdays.indexOf(weekday.toLowerCase()) - weekdayOf(today) + 7) % 7;
  return addDays(today, ahead || 7);
}

/** Returns minutes since midnight. Without "am" or "pm", an hour before 8 is in the afternoon. */
function readTime(text: string): number | null {
  if (/\bnoon\b/i.test(text)) return 12 * 60;
  const patterns = [
    /\b(\d{1,2})(?::([0-5]\d))? ?([ap])\.?m\b/i,
    /\b(\d{1,2}):([0-5]\d)\b/,
    /\bat (\d{1,2})\b(?! ?(?:min|h))/i,
    /^\s*(1?\d|2[0-3])\s*$/,
  ];
  for (const pattern of patterns) {
    const [found, hours = '', minutes = '0', half] = pattern.exec(text) ?? [];
    if (found === undefined) continue;
    const hour = half ? Number(hours) % 12 : Number(hours);
    const isAfternoon = half ? half.toLowerCase() === 'p' : hour < 8;
    return (hour + (isAfternoon ? 12 : 0)) * 60 + Number(minutes);
  }
  return null;
}

function readMinutes(text: string): number | null {
  const [bare] = /^\s*(?:30|60|90|120)\s*$/.exec(text) ?? [];
  if (bare !== undefined) return Number(bare);
  const [found, count = '', unit = '', more] =
    /\b(\d{1,3}(?:\.5)?|an?|one|two|half)(?: an?)?[ -]?(hours?|h|minutes?|mins?)\b( and a half)?/i.exec(text) ?? [];
  if (found === undefined) return null;
  const number = counts[count.toLowerCase()] ?? Number(count);
  return unit.toLowerCase().startsWith('h') ? (number + (more ? 0.5 : 0)) * 60 : number;
}

/** Returns the reason why this booking is impossible, regardless of free slots. */
function faultOf({ day, time, minutes }: Wish, today: Day): string | null {
  if (day && daysBetween(today, day) < 0) return 'That day has passed.';
  if (day && isTooLate(day, today)) return `I book up to ${DAYS_AHEAD} days ahead.`;
  if (day && isWeekend(day)) return `${HOURS}; that day is on a weekend.`;
  if (time !== null && (time < OPENS || time + (minutes ?? SLOT_MINUTES) > CLOSES)) return `${HOURS}.`;
  if (time !== null && time % SLOT_MINUTES !== 0) return 'Meetings start on the hour or the half hour.';
  if (minutes === null || (minutes > 0 && minutes <= MAX_MINUTES && minutes % SLOT_MINUTES === 0)) return null;
  return 'Meetings last 30, 60, 90 or 120 minutes.';
}

function isTooLate(day: Day, today: Day): boolean {
  return daysBetween(today, day) > DAYS_AHEAD;
}

function isWeekend(day: Day): boolean {
  return weekdayOf(day) % 6 === 0;
}

function weekdayOf(day: Day): number {
  return dateOf(day).getUTCDay();
}

function dateOf({ year, month, day }: Day): Date {
  return new Date(Date.UTC(year, month - 1, day));
}

function startOf(day: Day, time: number): string {
  return inMinutes(dateOf(day).toISOString(), time);
}

/** Returns the start times of a day's free half hours. About a fifth of the slots are occupied. */
function freeTimes(day: Day, now: Date, { isBooked }: Schedule): string[] {
  if (isWeekend(day)) return [];
  const times = Array.from({ length: (CLOSES - OPENS) / SLOT_MINUTES }, (_, index) =>
    startOf(day, OPENS + index * SLOT_MINUTES),
  );
  return times.filter((start) => Date.parse(start) > now.getTime() && !isBooked(start) && !isTakenByOthers(start));
}

function isTakenByOthers(start: string): boolean {
  const hours = Math.floor(Date.parse(start) / 3_600_000);
  return (hours * 31) % 11 < 2;
}

/** A day with free times, and the starts of its free half hours, ISO 8601 with their time of day. */
interface FreeDay {
  title: string;
  times: { value: string; label: string }[];
}

/** Returns the next days that have free times, from today. */
export function freeDays(now: Date, schedule: Schedule): FreeDay[] {
  const today = { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1, day: now.getUTCDate() };
  return Array.from({ length: 7 }, (_, ahead) => addDays(today, ahead)).flatMap((day) => {
    const times = freeTimes(day, now, schedule).map((value) => ({ value, label: formatTime(value) }));
    return times.length === 0 ? [] : [{ title: formatDay(dateOf(day)), times }];
  });
}

/** Lists the free times of a day, or of the next day that has any. */
function listTimes(from: Day, free: (day: Day) => string[]): string {
  const days = Array.from({ length: 7 }, (_, ahead) => addDays(from, ahead));
  const ahead = Math.max(
    0,
    days.findIndex((day) => free(day).length > 0),
  );
  const day = days[ahead] ?? from;
  const times = free(day);
  const step = Math.ceil(times.length / SHOWN_TIMES);
  const shown = times.filter((_, index) => index % step === 0).map(formatTime);
  const none = ahead === 0 || isWeekend(from) ? '' : `Nothing is free on ${formatDay(dateOf(from))}. `;
  return `${none}Free on ${formatDay(dateOf(day))}: ${shown.join(', ')}.`;
}

function formatDay(date: Date): string {
  return date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
}

function formatTime(start: string): string {
  const style = { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' } as const;
  // Newer versions of ICU separate "AM" with a narrow space.
  return new Date(start).toLocaleTimeString('en-US', style).replace(/\s/g, ' ');
}
