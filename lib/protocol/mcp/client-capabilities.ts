import { isObject, type JsonObject } from '../json';
import { TASKS_EXTENSION } from './revisions';

/** The capabilities of a client for a call, besides reading its result. */
export interface ClientCapabilities {
  /** True if it can ask the user a question. */
  forms: boolean;
  /** True if it can ask the user to open a link. */
  links: boolean;
  /** True if it can poll a task for the result. */
  tasks: boolean;
}

/** The capabilities of a client that are unknown, because a stateless server has no sessions that contain them. */
export const noCapabilities: ClientCapabilities = { forms: false, links: false, tasks: false };

/** Reads the capabilities of a request (2026-07-28). An `elicitation` without modes means forms. */
export function readCapabilities({ elicitation, extensions }: JsonObject): ClientCapabilities {
  const modes = isObject(elicitation) ? elicitation : null;
  return {
    forms: modes !== null && (isObject(modes.form) || !isObject(modes.url)),
    links: modes !== null && isObject(modes.url),
    tasks: isObject(extensions) && isObject(extensions[TASKS_EXTENSION]),
  };
}
