import { sha256 } from '../../platform/crypto';
import { asParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { fetchPicture } from '../../platform/picture';
import { changeAgent, selectAgentById } from '../store/agents';
import { claimDueIcons, type DueIcon, keepIcon } from '../store/icons';

const perRound = 5;
/** Pixels: enough for the largest place where it stands, on a dense screen. */
const edge = 192;

interface Round {
  now: Date;
  signal: AbortSignal;
}

/** Fetches pictures that cards name and that are due, each by one node; agents without a good one keep their flag. */
export async function refreshIcons(round: Round): Promise<void> {
  const due = await claimDueIcons(round.now, perRound);
  await Promise.all(due.map((icon) => refresh(icon, round)));
}

async function refresh({ agentId, source }: DueIcon, { signal }: Round): Promise<void> {
  try {
    const bytes = source === null ? null : await fetchPicture(source, { edge, signal });
    await take(agentId, bytes);
  } catch (error) {
    if (signal.aborted) return;
    const known = asParleyError(error);
    if (!known) log.warn('icon.refresh_failed', { agentId, ...errorFields(error) });
    // A server that is away for a while takes nobody's picture; what cannot be shown does.
    if (known?.code === 'unsupported_media_type' || known?.code === 'url_refused') await take(agentId, null);
  }
}

async function take(agentId: string, bytes: Buffer | null): Promise<void> {
  const agent = await selectAgentById(agentId);
  if (!agent) return;
  const icon = bytes && { bytes, digest: sha256(bytes) };
  await keepIcon(agentId, icon);
  const iconDigest = icon?.digest ?? null;
  if (agent.iconDigest !== iconDigest) await changeAgent(agent, { iconDigest });
}
