import type { JsonObject, JsonValue } from '../json';
import { isFinal, type TaskEvent } from './core/events';

/**
 * The extension by which an agent's card states its prices, and an agent reports the units that a task used. Described
 * in docs/site/price-extension.mdx.
 */
export const PRICE_EXTENSION = 'urn:parley:price:v1';

/** The highest number of units of one task. */
const MAX_UNITS = Number.MAX_SAFE_INTEGER;

/**
 * Returns the highest total of units that an agent reported for the task, in the metadata of a status, a message, an
 * artifact or the task; null without a report. Reports are totals, so that a repeated one counts once. Reports of another
 * unit, and totals that are not whole numbers from 0, are ignored, and so is everything after the end of the task.
 */
export function readUnits(events: Iterable<TaskEvent>, unit: string): number | null {
  let highest: number | null = null;
  for (const event of events) {
    for (const metadata of metadataOf(event)) {
      const total = totalIn(metadata?.[PRICE_EXTENSION], unit);
      if (total !== null && (highest === null || total > highest)) highest = total;
    }
    if (isFinal(event)) break;
  }
  return highest;
}

function metadataOf(event: TaskEvent): (JsonObject | undefined)[] {
  switch (event.type) {
    case 'artifact':
      return [event.metadata, event.artifact.metadata];
    case 'status':
      return [event.metadata, event.taskMetadata, event.status.message?.metadata];
    case 'reply':
      return [event.message.metadata];
    case 'message':
      return [];
  }
}

function totalIn(report: JsonValue | undefined, unit: string): number | null {
  if (typeof report !== 'object' || report === null || Array.isArray(report)) return null;
  const { unit: found, total } = report;
  if (found !== unit || typeof total !== 'number') return null;
  return Number.isInteger(total) && total >= 0 && total <= MAX_UNITS ? total : null;
}
