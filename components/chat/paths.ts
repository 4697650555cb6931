import { newChatPath } from '../shell/routes';

/** A conversation of the person. `branch` is one of its versions, `at` a task to begin reading at. */
export function conversationPath(id: string, place: { branch?: string; at?: string } = {}): string {
  const query = new URLSearchParams(Object.entries(place).filter(([, value]) => value !== undefined));
  return `/chat/${encodeURIComponent(id)}${query.size > 0 ? `?${query}` : ''}`;
}

/** The new conversation to come back to after signing in; what was written before is then sent. */
export function resumePath(agentSlug: string): string {
  return `${newChatPath(agentSlug)}&resume=1`;
}
