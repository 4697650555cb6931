const DAY_MS = 86_400_000;
const DAYS_AHEAD = 30;

/** Start times that the form offers, half an hour apart: 9:00 AM to 4:30 PM. */
const times = Array.from({ length: 16 }, (_, index) => {
  const minutes = 9 * 60 + index * 30;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
});

/**
 * Returns the question for a booking as a data part, which Parley shows as a form. Agents and people that read no data get
 * the question in words, in a part before it.
 */
export function bookingForm(now: Date): object {
  const day = (ahead: number) => new Date(now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10);
  return {
    kind: 'form',
    submit: 'Check the room',
    schema: {
      type: 'object',
      properties: {
        day: {
          ...{ type: 'string', format: 'date', title: 'Day', description: 'Monday to Friday' },
          ...{ formatMinimum: day(0), formatMaximum: day(DAYS_AHEAD) },
        },
        time: { type: 'string', title: 'Start', description: 'UTC', enum: times },
        minutes: {
          ...{ type: 'integer', title: 'Length', default: 60 },
          oneOf: [30, 60, 90, 120].map((minutes) => ({ const: minutes, title: `${minutes} minutes` })),
        },
      },
      required: ['day', 'time', 'minutes'],
    },
  };
}

/** Returns the answer to the form in words, as a caller would write them; empty for other data. */
export function wordsOf(data: unknown): string {
  const { day, time, minutes } = Object(data) as Record<string, unknown>;
  if (typeof day !== 'string' || typeof time !== 'string' || typeof minutes !== 'number') return '';
  return `${day} at ${time} for ${minutes} minutes`;
}
