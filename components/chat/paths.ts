import { newChatPath } from '../shell/routes';

/** A conversation of the person. */
export function conversationPath(id: string): string {
  return `/chat/${encodeURIComponent(id)}`;
}

/** The new conversation to come back to after signing in; what was written before is then sent. */
export function resumePath(agentSlug: string): string {
  return `${newChatPath(agentSlug)}&resume=1`;
}
