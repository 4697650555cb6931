import { type AgentRecord, findAgentById, isBuiltInUrl, isHubUrl } from '../catalog';
import { markRankingDue } from '../discovery';
import type { EscalationStage } from '../discovery/schema-rankings';
import { findPresence } from '../hub';
import { notifyPerson } from '../identity';
import { newId } from '../platform/ids';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import type { CoreCard } from '../protocol/a2a/core/card';
import { onFirstFailure, type ProbeResult, probeAgent } from '../tasks';
import type { MailText, Translation } from '../texts/sent-texts';
import { FIRST_RUN_SECONDS, MAX_CONCURRENT_PROBES, MAX_PROMPT_LENGTH, NEW_LISTING_MS } from './limits';
import type { ProbeKind } from './schema';
import {
  afterAlertFailed,
  afterAlertSent,
  afterProbe,
  isAlertOverdue,
  ownerAlertDue,
  ownerAlertEmail,
  type ProbeState,
  secondsToNext,
} from './state-transitions';
import {
  claimDueProbes,
  insertProbe,
  insertSchedules,
  markFailedDue,
  markPresenceDue,
  pauseHidden,
  scheduleNext,
  selectNextProbe,
  updateProbeState,
} from './store';

interface JobContext {
  now: Date;
  signal: AbortSignal;
}

/**
 * Starts the reachability probes that are due, each on one node, every `PROBE_INTERVAL_SECONDS` per agent. Does not
 * wait for them, so that a slow agent does not delay others.
 */
export async function probeAgents(job: JobContext): Promise<void> {
  const everySeconds = env().PROBE_INTERVAL_SECONDS;
  if (everySeconds === 0) return;
  await scheduleSince(new Date(job.now.getTime() - NEW_LISTING_MS), job.now);
  await markPresenceDue(job.now);
  await startDueProbes('reach', everySeconds, job);
}

/**
 * Subscribes to failed calls: the first failure to reach an agent makes its next probe due, so that its displayed health
 * is up to date.
 */
export function probeAfterFailures(): void {
  onFirstFailure((agentId) => {
    markFailedDue(agentId, new Date()).catch((error) => {
      log.warn('probe.scheduling_failed', { agentId, ...errorFields(error) });
    });
  });
}

/** Starts the runs of an example that are due, every `PROBE_RUN_INTERVAL_SECONDS` per agent. */
export async function runSyntheticChecks(job: JobContext): Promise<void> {
  const { PROBE_INTERVAL_SECONDS, PROBE_RUN_INTERVAL_SECONDS: everySeconds } = env();
  if (PROBE_INTERVAL_SECONDS > 0 && everySeconds > 0) await startDueProbes('run', everySeconds, job);
}

/** Returns the time at which the first probe of this kind is due; null if none is due or this kind is disabled. */
export async function nextProbe(kind: ProbeKind): Promise<Date | null> {
  const { PROBE_INTERVAL_SECONDS: reach, PROBE_RUN_INTERVAL_SECONDS: run } = env();
  return reach === 0 || (kind === 'run' && run === 0) ? null : selectNextProbe(kind);
}

/** Schedules agents of any age that {@link probeAgents} missed, and pauses agents that are not visible. */
export async function reconcileSchedules(now: Date): Promise<void> {
  if (env().PROBE_INTERVAL_SECONDS === 0) return;
  await scheduleSince(new Date(0), now);
  await pauseHidden('reach', now);
  await pauseHidden('run', now);
}

function scheduleSince(since: Date, now: Date): Promise<void> {
  return insertSchedules(now, {
    since,
    firstRunSeconds: Math.min(env().PROBE_RUN_INTERVAL_SECONDS, FIRST_RUN_SECONDS),
  });
}

const inFlight: Record<ProbeKind, number> = { reach: 0, run: 0 };

async function startDueProbes(kind: ProbeKind, everySeconds: number, { now, signal }: JobContext): Promise<void> {
  const limit = MAX_CONCURRENT_PROBES[kind] - inFlight[kind];
  if (limit <= 0) return;
  for (const agentId of await claimDueProbes(kind, { now, everySeconds, limit })) {
    inFlight[kind] += 1;
    void probe(agentId, kind, signal).finally(() => {
      inFlight[kind] -= 1;
    });
  }
}

async function probe(agentId: string, kind: ProbeKind, signal: AbortSignal): Promise<void> {
  try {
    const agent = await findAgentById(agentId);
    const example = agent && kind === 'run' ? pickPrompt(agent.card) : null;
    if (!agent || (kind === 'run' && example === null)) return;
    const at = new Date();
    const result = await resultOf(agent, { kind, example, signal });
    if (result.outcome !== 'skipped') await recordProbe({ agent, kind, result, at });
  } catch (error) {
    if (!signal.aborted) log.error('probe.failed', { agentId, kind, ...errorFields(error) });
  }
}

function resultOf(
  agent: AgentRecord,
  { kind, example, signal }: { kind: ProbeKind; example: string | null; signal: AbortSignal },
): Promise<ProbeResult> | ProbeResult {
  if (isBuiltInUrl(agent.url)) return probeBuiltIn(kind);
  if (isHubUrl(agent.url)) return probePresence(agent.id, kind);
  return probeAgent({ agent, example, requestId: newId('req'), signal });
}

const textModes = /^(text(\/plain|\/markdown|\/\*)?|\*\/\*)$/i;

/** Returns the first example of a skill that accepts text, or null. */
function pickPrompt(card: CoreCard): string | null {
  for (const skill of card.skills) {
    const modes = skill.inputModes.length > 0 ? skill.inputModes : card.inputModes;
    if (modes.length > 0 && !modes.some((mode) => textModes.test(mode))) continue;
    const example = skill.examples.find((text) => text.trim() !== '' && text.length <= MAX_PROMPT_LENGTH);
    if (example !== undefined) return example;
  }
  return null;
}

interface CompletedProbe {
  agent: AgentRecord;
  kind: ProbeKind;
  result: ProbeResult;
  at: Date;
}

async function recordProbe({ agent, kind, result, at }: CompletedProbe): Promise<void> {
  const good = result.outcome === 'good';
  await insertProbe({ agentId: agent.id, at, kind, good, ms: result.ms, failure: result.failure });
  const change = await updateProbeState(agent.id, (state) => afterProbe(state, { kind, good }, at));
  if (!change) return;
  const { before, state } = change;
  const stage = await alertOwner(agent, { before, state, reason: result.failure?.message ?? '' });
  await schedule(agent.id, { kind, result, before, stage });
  if (before.health !== state.health || before.stage !== stage) await markRankingDue([agent.id], new Date());
}

/** Schedules the next probe if its time differs from the regular interval. */
async function schedule(
  agentId: string,
  {
    kind,
    result,
    before,
    stage,
  }: Pick<CompletedProbe, 'kind' | 'result'> & { before: ProbeState; stage: EscalationStage },
): Promise<void> {
  const { PROBE_INTERVAL_SECONDS: reach, PROBE_RUN_INTERVAL_SECONDS: run } = env();
  const intervals = { reach, run };
  if (result.outcome === 'failed') {
    const { retryAfter } = result;
    const seconds = secondsToNext({ kind, intervals, retryAfter, failedBefore: before.runFailed, stage });
    if (seconds !== intervals[kind]) await scheduleNext(agentId, kind, inSeconds(seconds));
  } else if (kind === 'run' && before.stage !== 'listed') {
    // The agent recovered, but its next probe was scheduled with the interval for an agent that is down.
    await scheduleNext(agentId, 'reach', inSeconds(reach));
  }
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

/**
 * Notifies the owner before an escalation takes effect, or escalates after the grace period. Returns the resulting
 * stage.
 */
async function alertOwner(
  agent: AgentRecord,
  { before, state, reason }: { before: ProbeState; state: ProbeState; reason: string },
): Promise<EscalationStage> {
  const now = new Date();
  const alertKind = ownerAlertDue(before, state, now);
  if (!alertKind) return state.stage;
  try {
    const mail = (texts: Translation): MailText => ownerAlertEmail({ agent, alertKind, reason }, texts);
    await notifyPerson({ ctx: { now }, input: { userId: agent.ownerId, kind: 'agent_health', mail } });
  } catch (error) {
    log.warn('probe.owner_alert_failed', { agentId: agent.id, ...errorFields(error) });
    if (!isAlertOverdue(state, alertKind, now)) return state.stage;
    const escalated = await updateProbeState(agent.id, (current) => afterAlertFailed(current, alertKind));
    return escalated?.state.stage ?? state.stage;
  }
  const updated = await updateProbeState(agent.id, (current) => afterAlertSent(current, alertKind, now));
  return updated?.state.stage ?? state.stage;
}

const offline = { code: 'agent_offline', message: 'No worker of this agent was connected to Parley.', exchange: null };

const unmeasured = { ms: 0, retryAfter: null };

/** Returns the probe of an agent that runs in Parley, which is reachable while this node runs. */
function probeBuiltIn(kind: ProbeKind): ProbeResult {
  return { ...unmeasured, outcome: kind === 'run' ? 'skipped' : 'good', failure: null };
}

/**
 * Returns the probe of an agent that connects to Parley, which is reachable while a worker is connected. Sends nothing
 * to it. Skipped for an agent whose workers have never connected.
 */
async function probePresence(agentId: string, kind: ProbeKind): Promise<ProbeResult> {
  const { online, everConnected } = await findPresence(agentId);
  if (kind === 'run' || !everConnected) return { ...unmeasured, outcome: 'skipped', failure: null };
  return online
    ? { ...unmeasured, outcome: 'good', failure: null }
    : { ...unmeasured, outcome: 'failed', failure: offline };
}
