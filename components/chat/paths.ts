import { newChatPath } from '../shell/routes';

/**
 * A conversation of the user. `branch` is one of its versions; `at` is a task to scroll to, or a version to show
 * instead of it.
 */
export function conversationPath(
  id: string,
  options: { branch?: string | undefined; at?: string | undefined } = {},
): string {
  const query = new URLSearchParams(
    Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return `/chat/${encodeURIComponent(id)}${query.size > 0 ? `?${query}` : ''}`;
}

/** The path of the page that shows the calls between agents for one task. */
export function chainPath(rootTaskId: string): string {
  return `/chat/chains/${encodeURIComponent(rootTaskId)}`;
}

/** The new conversation to return to after sign-in; the pending message is then sent. */
export function resumePath(agentSlug: string): string {
  return `${newChatPath(agentSlug)}&resume=1`;
}
