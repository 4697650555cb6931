import { isObject, type JsonObject } from '../json';
import { TASKS_EXTENSION } from './revisions';

/** What a client can do for a call, besides reading its result. */
export interface ClientCapabilities {
  /** Asks the person a question. */
  forms: boolean;
  /** Asks the person to open a link. */
  links: boolean;
  /** Polls a task for the result. */
  tasks: boolean;
}

/** A client whose capabilities are unknown: they belong to sessions, which a stateless server has none of. */
export const noCapabilities: ClientCapabilities = { forms: false, links: false, tasks: false };

/** Reads the capabilities of a request (2026-07-28). An `elicitation` without modes stands for forms. */
export function readCapabilities({ elicitation, extensions }: JsonObject): ClientCapabilities {
  const modes = isObject(elicitation) ? elicitation : null;
  return {
    forms: modes !== null && (isObject(modes.form) || !isObject(modes.url)),
    links: modes !== null && isObject(modes.url),
    tasks: isObject(extensions) && isObject(extensions[TASKS_EXTENSION]),
  };
}
