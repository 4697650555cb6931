import { sha256 } from '../../platform/secrets/crypto';
import { MAX_TOOL_NAME, MIN_SKILL_NAME } from '../limits';

/** The tools of `/mcp`. */
export const marketToolNames = {
  search: 'search_agents',
  show: 'get_agent',
  send: 'send_message',
  poll: 'get_task',
  cancel: 'cancel_task',
} as const;

/**
 * The name of a tool at `/agents/{slug}/mcp`. A slug has no underscore, so names of different agents differ, and a host
 * can add many of these servers. Characters that hosts do not accept are replaced, and a hash of `id` is added.
 */
export function agentToolName(slug: string, id: string, reserved: readonly string[] = []): string {
  const length = Math.max(MAX_TOOL_NAME - slug.length - 1, MIN_SKILL_NAME);
  const accepted = id.replace(/[^A-Za-z0-9_-]/g, '_');
  const name = `${slug}_${id}`;
  if (accepted === id && id !== '' && id.length <= length && !reserved.includes(name)) return name;
  const hash = sha256(id).slice(0, 8);
  return `${slug}_${accepted.slice(0, length - hash.length - 1)}_${hash}`;
}
