import { type AgentRecord, findAgentById } from '../catalog';
import { markStandingDue } from '../discovery';
import type { EscalationStage } from '../discovery/schema';
import { type ProbeResult, probeAgent } from '../gateway';
import { notifyPerson } from '../identity';
import { env } from '../platform/env';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { ownerAlertEmail } from './owner-alert-email';
import { pickPrompt } from './pick-prompt';
import {
  afterAlertFailed,
  afterAlertSent,
  afterProbe,
  isAlertOverdue,
  ownerAlertDue,
  type ProbeState,
  secondsToNext,
} from './policy';
import type { ProbeKind } from './schema';
import { insertProbe } from './store/probes';
import { claimDueProbes, insertSchedules, pauseHidden, scheduleNext, updateProbeState } from './store/schedules';

/** Probes of one kind that this node has under way at once. */
const maxInFlight: Record<ProbeKind, number> = { reach: 32, run: 8 };

/** From the listing to the first run. */
const firstRunSeconds = 60;
const dayMs = 86_400_000;

interface JobContext {
  now: Date;
  signal: AbortSignal;
}

/**
 * Begins the probes that are due, each agent's no more often than `PROBE_INTERVAL_SECONDS` and by one node alone; they go
 * on by themselves, so that one slow agent delays no other.
 */
export async function probeAgents(job: JobContext): Promise<void> {
  const everySeconds = env().PROBE_INTERVAL_SECONDS;
  if (everySeconds === 0) return;
  await scheduleSince(new Date(job.now.getTime() - dayMs), job.now);
  await startDueProbes('reach', everySeconds, job);
}

/** The same for real runs of an example, every `PROBE_RUN_INTERVAL_SECONDS`. */
export async function runSyntheticChecks(job: JobContext): Promise<void> {
  const { PROBE_INTERVAL_SECONDS, PROBE_RUN_INTERVAL_SECONDS: everySeconds } = env();
  if (PROBE_INTERVAL_SECONDS > 0 && everySeconds > 0) await startDueProbes('run', everySeconds, job);
}

/** Watches what rounds have missed, however long ago it was listed, and keeps from them what is not shown. */
export async function reconcileSchedules(now: Date): Promise<void> {
  if (env().PROBE_INTERVAL_SECONDS === 0) return;
  await scheduleSince(new Date(0), now);
  await pauseHidden('reach', now);
  await pauseHidden('run', now);
}

function scheduleSince(since: Date, now: Date): Promise<void> {
  return insertSchedules(now, { since, firstRunSeconds: Math.min(env().PROBE_RUN_INTERVAL_SECONDS, firstRunSeconds) });
}

function inFlight(): Record<ProbeKind, number> {
  return processSingleton('probes-under-way', () => ({ reach: 0, run: 0 }));
}

async function startDueProbes(kind: ProbeKind, everySeconds: number, { now, signal }: JobContext): Promise<void> {
  const limit = maxInFlight[kind] - inFlight()[kind];
  if (limit <= 0) return;
  for (const agentId of await claimDueProbes(kind, { now, everySeconds, limit })) {
    inFlight()[kind] += 1;
    void probe(agentId, kind, signal).finally(() => {
      inFlight()[kind] -= 1;
    });
  }
}

async function probe(agentId: string, kind: ProbeKind, signal: AbortSignal): Promise<void> {
  try {
    const agent = await findAgentById(agentId);
    const example = agent && kind === 'run' ? pickPrompt(agent.card) : null;
    if (!agent || (kind === 'run' && example === null)) return;
    const at = new Date();
    const probed = await probeAgent({ agent, example, requestId: newId('req'), signal });
    if (probed.outcome !== 'skipped') await recordProbe({ agent, kind, probed, at });
  } catch (error) {
    if (!signal.aborted) log.error('probe.failed', { agentId, kind, ...errorFields(error) });
  }
}

interface CompletedProbe {
  agent: AgentRecord;
  kind: ProbeKind;
  probed: ProbeResult;
  at: Date;
}

async function recordProbe({ agent, kind, probed, at }: CompletedProbe): Promise<void> {
  const good = probed.outcome === 'good';
  await insertProbe({ agentId: agent.id, at, kind, good, ms: probed.ms, failure: probed.failure });
  const change = await updateProbeState(agent.id, (state) => afterProbe(state, { kind, good }, at));
  if (!change) return;
  const { before, state } = change;
  const rung = await alertOwner(agent, { before, state, reason: probed.failure?.message ?? '' });
  await schedule(agent.id, { kind, probed, before, rung });
  if (before.health !== state.health || before.rung !== rung) await markStandingDue([agent.id], new Date());
}

/** When an agent is probed next, where that is not simply an interval later. */
async function schedule(
  agentId: string,
  {
    kind,
    probed,
    before,
    rung,
  }: Pick<CompletedProbe, 'kind' | 'probed'> & { before: ProbeState; rung: EscalationStage },
): Promise<void> {
  const { PROBE_INTERVAL_SECONDS: reach, PROBE_RUN_INTERVAL_SECONDS: run } = env();
  const every = { reach, run };
  if (probed.outcome === 'failed') {
    const { retryAfter } = probed;
    const seconds = secondsToNext({ kind, intervals: every, retryAfter, failedBefore: before.runFailed, rung });
    if (seconds !== every[kind]) await scheduleNext(agentId, kind, inSeconds(seconds));
  } else if (kind === 'run' && before.rung !== 'listed') {
    // It is up again, and its next check lies as far away as for one that is down.
    await scheduleNext(agentId, 'reach', inSeconds(reach));
  }
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

/** The owner hears of it before anything follows from it, unless no mail can be sent for long. Answers the rung then. */
async function alertOwner(
  agent: AgentRecord,
  { before, state, reason }: { before: ProbeState; state: ProbeState; reason: string },
): Promise<EscalationStage> {
  const now = new Date();
  const notice = ownerAlertDue(before, state, now);
  if (!notice) return state.rung;
  try {
    const mail = ownerAlertEmail({ agent, alertKind: notice, reason });
    await notifyPerson({ ctx: { now }, input: { userId: agent.ownerId, kind: 'agent_health', mail } });
  } catch (error) {
    log.warn('probe.owner_not_told', { agentId: agent.id, ...errorFields(error) });
    if (!isAlertOverdue(state, notice, now)) return state.rung;
    const moved = await updateProbeState(agent.id, (found) => afterAlertFailed(found, notice));
    return moved?.state.rung ?? state.rung;
  }
  const updated = await updateProbeState(agent.id, (found) => afterAlertSent(found, notice, now));
  return updated?.state.rung ?? state.rung;
}
