import { newChatPath } from '../shell/routes';

/**
 * A conversation of the person. `branch` is one of its versions; `at` is a task to begin reading at, or a version
 * that is told in place of it.
 */
export function conversationPath(
  id: string,
  place: { branch?: string | undefined; at?: string | undefined } = {},
): string {
  const query = new URLSearchParams(
    Object.entries(place).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return `/chat/${encodeURIComponent(id)}${query.size > 0 ? `?${query}` : ''}`;
}

/** The new conversation to come back to after signing in; what was written before is then sent. */
export function resumePath(agentSlug: string): string {
  return `${newChatPath(agentSlug)}&resume=1`;
}
