import { sha256 } from '../../platform/crypto';
import { asParleyError } from '../../platform/errors';
import { fetchImage } from '../../platform/image';
import { errorFields, log } from '../../platform/log';
import { changeAgent, selectAgentById } from '../store/agents';
import { claimDueIcons, type DueIcon, saveIcon } from '../store/icons';

const batchSize = 5;
/** Pixels: enough for the largest place where it stands, on a dense screen. */
const edge = 192;

interface JobContext {
  now: Date;
  signal: AbortSignal;
}

/** Fetches pictures that cards name and that are due, each by one node; agents without a good one keep their flag. */
export async function refreshIcons(job: JobContext): Promise<void> {
  const due = await claimDueIcons(job.now, batchSize);
  await Promise.all(due.map((icon) => refresh(icon, job)));
}

async function refresh({ agentId, source }: DueIcon, { signal }: JobContext): Promise<void> {
  try {
    const bytes = source === null ? null : await fetchImage(source, { edge, signal });
    await applyIcon(agentId, bytes);
  } catch (error) {
    if (signal.aborted) return;
    const known = asParleyError(error);
    if (!known) log.warn('icon.refresh_failed', { agentId, ...errorFields(error) });
    // A server that is away for a while takes nobody's picture; what cannot be shown does.
    if (known?.code === 'unsupported_media_type' || known?.code === 'url_refused') await applyIcon(agentId, null);
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
