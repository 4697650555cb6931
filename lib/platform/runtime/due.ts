import { nullable, row, timestamptz } from '../db/rows';

const dueRow = row({ due: nullable(timestamptz()) });

/** The time that a statement selects as `due`; null for none. For {@link NextDue} of ./activity. */
export async function selectDue(name: string, statement: string, values: unknown[] = []): Promise<Date | null> {
  return (await dueRow.queryFirst(name, statement, values))?.due ?? null;
}
