import type { Ctx } from '../../platform/context';
import { hasCode, ParleyError } from '../../platform/errors';
import { fetchImage } from '../../platform/image';
import { errorFields, log } from '../../platform/runtime/log';
import { sha256 } from '../../platform/secrets/crypto';
import { isOpen, requireVisible } from '../authorization';
import { ICON_EDGE_PX, ICON_REFRESH_BATCH } from '../limits';
import { selectAgentById } from '../store/agent-rows';
import { changeAgent } from '../store/change-agent';
import { claimDueIcons, type DueIcon, saveIcon, selectIcon } from '../store/icon-rows';
import { findAgent } from './find-agent';

/**
 * Returns an agent's icon as WebP, for callers who may see the agent. Shared caches may store it only if `isOpen` is
 * true.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getIcon({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<{ digest: string; bytes: Uint8Array; isOpen: boolean }> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const icon = agent.iconDigest === null ? null : await selectIcon(agent.id);
  if (!icon) throw new ParleyError('not_found', 'This agent has no icon.');
  return { ...icon, isOpen: isOpen(agent) };
}

interface JobContext {
  now: Date;
  signal: AbortSignal;
}

/** Fetches the icons that are due, each on one node, and returns their number. */
export async function refreshIcons(job: JobContext): Promise<number> {
  const due = await claimDueIcons(job.now, ICON_REFRESH_BATCH);
  await Promise.all(due.map((icon) => refresh(icon, job)));
  return due.length;
}

async function refresh({ agentId, source }: DueIcon, { signal }: JobContext): Promise<void> {
  try {
    const bytes = source === null ? null : await fetchImage(source, { edge: ICON_EDGE_PX, signal });
    await applyIcon(agentId, bytes);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ParleyError)) log.warn('icon.refresh_failed', { agentId, ...errorFields(error) });
    // If the server is unreachable, the stored icon is kept; an invalid image or URL removes it.
    if (hasCode(error, 'unsupported_media_type') || hasCode(error, 'url_refused')) await applyIcon(agentId, null);
  }
}

async function applyIcon(agentId: string, bytes: Buffer | null): Promise<void> {
  const agent = await selectAgentById(agentId);
  if (!agent) return;
  const icon = bytes && { bytes, digest: sha256(bytes) };
  await saveIcon(agentId, icon);
  const iconDigest = icon?.digest ?? null;
  if (agent.iconDigest !== iconDigest) await changeAgent(agent, { iconDigest });
}
