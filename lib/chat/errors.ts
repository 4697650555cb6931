import { ParleyError } from '../platform/errors';

/** One answer for conversations that do not exist and those of somebody else. */
export function conversationNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such conversation. It may have been deleted.');
}

/** One answer for agents that are unknown, private to another, suspended or withdrawn. */
export function chatAgentNotFound(): ParleyError {
  return new ParleyError('invalid_target', 'There is no agent with this name that you may talk to.');
}

/** One answer for links that never were, were revoked, or whose conversation was deleted. */
export function shareNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such shared conversation. Its link may have been revoked.');
}
