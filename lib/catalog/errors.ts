import { ParleyError } from '../platform/errors';
import type { TeamRole } from './schema';
import type { CardDiagnostic } from './schema-cards';

/**
 * Returns the same error for agents that are unknown and for those that are not visible to the caller, so that it does
 * not disclose whether the agent exists.
 */
export function agentNotFound(): ParleyError {
  return new ParleyError(
    'not_found',
    'Agent not found. It may not exist, or you may not have access to it. Check the slug.',
  );
}

/** Returns the error if the agent was public and is withdrawn. */
export function agentGone(): ParleyError {
  const message = 'This agent was withdrawn by its owner. Search the catalog for another one.';
  return new ParleyError('gone', message, { data: { why: 'withdrawn' } });
}

/** Returns the error if the agent was public and is suspended. */
export function agentRemoved(): ParleyError {
  const message = 'Moderators took down this agent. Search the catalog for another one.';
  return new ParleyError('gone', message, { data: { why: 'removed' } });
}

/** Returns the error if the status changed since it was read, for example because of moderation. */
export function statusChanged(): ParleyError {
  const message = 'The status of this agent has just changed. Reload it before you change it.';
  return new ParleyError('conflict', message);
}

/** Returns the error if the caller's role in the team is too low. */
export function insufficientRole(role: TeamRole, minRole: TeamRole): ParleyError {
  const message = `This requires the role ${minRole} on this agent’s team; your role is ${role}. Ask the agent’s owner.`;
  return new ParleyError('forbidden', message, { data: { role, needs: minRole } });
}

/** Returns the error for an invalid card. `faults` contains the diagnostics. */
export function cardInvalid(faults: CardDiagnostic[]): ParleyError {
  const [first] = faults;
  const count = faults.length === 1 ? '1 error' : `${faults.length} errors`;
  const where = first
    ? ` Line ${first.line}, column ${first.column}: found ${first.found}, expected ${first.expected}.`
    : '';
  return new ParleyError('card_invalid', `The card has ${count}.${where}`, { data: { faults } });
}

/** Returns the error for a URL that served no card. */
export function cardUnreachable(message: string, cause?: unknown): ParleyError {
  return new ParleyError('card_unreachable', message, { cause });
}

/** Returns the error for a URL that another owner has listed. */
export function urlTaken(): ParleyError {
  return new ParleyError(
    'agent_url_taken',
    'Someone else has already listed the agent at this URL. Use the URL of an agent that you own.',
  );
}

/** Returns the error if calls would go to an origin other than the card's. */
export function originNotConfirmed(origin: { found: string; expected: string }): ParleyError {
  return new ParleyError(
    'confirm_origin',
    `The card from ${origin.expected} sends calls to ${origin.found}. If that is correct, repeat the request with "confirmOrigin": true.`,
    { data: origin },
  );
}

/** Returns the error for an operation that requires an agent with its own URL. */
export function notForHubAgents(hint: string): ParleyError {
  return new ParleyError('conflict', `This agent connects to Parley and has no public URL. ${hint}`);
}

/** Returns the error if `card` was sent for an agent that serves its own card. */
export function cardNotOurs(): ParleyError {
  const message = 'This agent serves its own card. Update the card on its server, then refresh the listing.';
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/card', message }] } });
}

/** Returns the error for an invalid slug. */
export function slugRefused(message: string): ParleyError {
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/slug', message }] } });
}

/** Returns the error for a slug that belongs to another listing. */
export function slugTaken(slug: string): ParleyError {
  return new ParleyError('conflict', `The slug "${slug}" is taken. Choose another one, or omit "slug".`);
}

/** Returns the error for the price of a skill that is not in the card. `index` is its position in `prices`. */
export function unknownSkill(index: number, { found, known }: { found: string; known: string[] }): ParleyError {
  const expected =
    known.length > 0 ? `one of ${known.map((id) => `"${id}"`).join(', ')}` : 'no prices, because it lists no skills';
  const message = `The card has no skill "${found}"; expected ${expected}.`;
  return new ParleyError('invalid_request', message, {
    data: { faults: [{ pointer: `/prices/${index}/skillId`, message }] },
  });
}

/** Returns the error if the user has no developer app with this id. */
export function appNotOwned(): ParleyError {
  const message = 'You have no developer app with this ID. Create one in the console, or omit "appId".';
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/appId', message }] } });
}
