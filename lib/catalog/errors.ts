import { ParleyError } from '../platform/errors';
import type { TeamRole } from './schema';
import type { CardDiagnostic } from './schema-cards';

/** The agent is unknown or not visible to the caller. One error for both, so that it does not disclose which. */
export function agentNotFound(): ParleyError {
  return new ParleyError(
    'not_found',
    'There is no agent at this address, or it is not open to you. Check the address.',
  );
}

/** The agent was public and is withdrawn. */
export function agentGone(): ParleyError {
  const message = 'This agent was withdrawn by its owner. Search the catalogue for another one.';
  return new ParleyError('gone', message, { data: { why: 'withdrawn' } });
}

/** The agent was public and is suspended. */
export function agentRemoved(): ParleyError {
  const message = 'Parley has taken this agent down. Search the catalogue for another one.';
  return new ParleyError('gone', message, { data: { why: 'removed' } });
}

/** The status changed since it was read, for example by moderation. */
export function statusChanged(): ParleyError {
  const message = 'The status of this agent changed a moment ago. Look at it again before you change it.';
  return new ParleyError('conflict', message);
}

/** The caller's role in the team is too low. */
export function insufficientRole(role: TeamRole, minRole: TeamRole): ParleyError {
  const message = `Your role in the team of this agent is ${role}; this needs the role ${minRole}. Ask its owner.`;
  return new ParleyError('forbidden', message, { data: { role, needs: minRole } });
}

/** The card is invalid; `faults` has the diagnostics. */
export function cardInvalid(faults: CardDiagnostic[]): ParleyError {
  const [first] = faults;
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  const where = first
    ? ` Line ${first.line}, column ${first.column}: found ${first.found}, expected ${first.expected}.`
    : '';
  return new ParleyError('card_invalid', `The card has ${count}.${where}`, { data: { faults } });
}

/** The URL served no card. */
export function cardUnreachable(message: string, cause?: unknown): ParleyError {
  return new ParleyError('card_unreachable', message, { cause });
}

/** The URL is listed by another owner. */
export function urlTaken(): ParleyError {
  return new ParleyError(
    'agent_url_taken',
    'Another owner has listed the agent at this address. Register an address of your own agent.',
  );
}

/** Calls would go to another origin than the card's. */
export function originNotConfirmed(origin: { found: string; expected: string }): ParleyError {
  return new ParleyError(
    'confirm_origin',
    `The card from ${origin.expected} sends calls to ${origin.found}. Repeat the request with "confirmOrigin": true if that is right.`,
    { data: origin },
  );
}

/** What needs an address of the agent's own. */
export function notForHubAgents(hint: string): ParleyError {
  return new ParleyError('conflict', `This agent connects to Parley and has no address of its own. ${hint}`);
}

/** `card` was sent for an agent that serves its own card. */
export function cardNotOurs(): ParleyError {
  const message = 'This agent serves its card at its own address. Change it there, then refresh it.';
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/card', message }] } });
}

/** The slug is invalid. */
export function slugRefused(message: string): ParleyError {
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/slug', message }] } });
}

/** The slug belongs to another listing. */
export function slugTaken(slug: string): ParleyError {
  return new ParleyError('conflict', `The slug "${slug}" is taken. Choose another one, or leave it out.`);
}

/** A price for a skill that is not in the card; `index` is its position in `prices`. */
export function unknownSkill(index: number, { found, known }: { found: string; known: string[] }): ParleyError {
  const expected =
    known.length > 0 ? `one of ${known.map((id) => `"${id}"`).join(', ')}` : 'no price: it names no skills';
  const message = `The card has no skill "${found}"; expected ${expected}.`;
  return new ParleyError('invalid_request', message, {
    data: { faults: [{ pointer: `/prices/${index}/skillId`, message }] },
  });
}

/** The user has no developer app with this id. */
export function appNotOwned(): ParleyError {
  const message = 'No developer app of yours has this id. Create one in the console, or leave "appId" out.';
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/appId', message }] } });
}
