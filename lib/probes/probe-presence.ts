import { findPresence } from '../hub';
import type { ProbeResult } from '../tasks';
import type { ProbeKind } from './schema';

const offline = { code: 'agent_offline', message: 'No worker of this agent was connected to Parley.', exchange: null };

const unmeasured = { ms: 0, retryAfter: null };

/** The probe of an agent that runs in Parley: it is reachable while this node runs. */
export function probeBuiltIn(kind: ProbeKind): ProbeResult {
  return { ...unmeasured, outcome: kind === 'run' ? 'skipped' : 'good', failure: null };
}

/**
 * The probe of an agent that connects to Parley: it is reachable while a worker is connected. Nothing is sent to it.
 * Skipped for one that has never connected.
 */
export async function probePresence(agentId: string, kind: ProbeKind): Promise<ProbeResult> {
  const { online, everConnected } = await findPresence(agentId);
  if (kind === 'run' || !everConnected) return { ...unmeasured, outcome: 'skipped', failure: null };
  return online
    ? { ...unmeasured, outcome: 'good', failure: null }
    : { ...unmeasured, outcome: 'failed', failure: offline };
}
