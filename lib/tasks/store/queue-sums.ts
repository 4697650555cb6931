import { float8, int8, type RowOf, row } from '../../platform/db/rows';

/** A queue of one task database: the number of due items and the age of the oldest, seconds. */
export const queueRow = row({ due: int8(), seconds: float8() });

/** Returns the number of due items in all task databases and the age of the oldest, seconds. */
export function sumQueues(queues: RowOf<typeof queueRow>[]): RowOf<typeof queueRow> {
  return {
    due: queues.reduce((total, { due }) => total + due, 0),
    seconds: Math.max(0, ...queues.map(({ seconds }) => seconds)),
  };
}
