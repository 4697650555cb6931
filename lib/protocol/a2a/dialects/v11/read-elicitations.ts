import { isObject, type JsonValue } from '../../../json';
import { MAX_ANSWERED_ELICITATIONS } from '../../../limits';
import { type Elicitation, type ElicitationState, isId } from '../../core/model';
import { isDerived } from '../../core/task-changes';

const states: Record<string, ElicitationState> = {
  ELICITATION_STATE_WAITING: 'waiting',
  ELICITATION_STATE_BLOCKED: 'blocked',
  ELICITATION_STATE_RESOLVED: 'resolved',
};

/**
 * Reads the requests for input that an agent lists, at most {@link MAX_ANSWERED_ELICITATIONS}; undefined for none.
 * Those without an id that can be stored, with an id of Parley's, or with an unknown state are omitted.
 */
export function readElicitations(value: JsonValue | undefined): Elicitation[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const read = value.slice(0, MAX_ANSWERED_ELICITATIONS).flatMap((item): Elicitation[] => {
    if (!isObject(item)) return [];
    const { elicitationId, state, metadata } = item;
    if (typeof elicitationId !== 'string' || !isId(elicitationId) || !elicitationId.isWellFormed()) return [];
    if (typeof state !== 'string' || !Object.hasOwn(states, state)) return [];
    const elicitation = { elicitationId, state: states[state] as ElicitationState };
    if (isDerived(elicitation)) return [];
    return [isObject(metadata) ? { ...elicitation, metadata } : elicitation];
  });
  return read.length > 0 ? read : undefined;
}
