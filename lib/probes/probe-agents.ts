import { type AgentRecord, findAgentById } from '../catalog';
import { markStandingDue } from '../discovery';
import type { Rung } from '../discovery/schema';
import { type Probed, probeAgent } from '../gateway';
import { notifyPerson } from '../identity';
import { env } from '../platform/env';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { shared } from '../platform/registry';
import { pickExample } from './example';
import { probeMail } from './mails';
import { afterNotice, afterProbe, afterSilence, isOverdue, noticeDue, secondsToNext, type WatchState } from './policy';
import type { ProbeKind } from './schema';
import { insertProbe } from './store/probes';
import { changeWatchState, claimDue, parkHidden, setDue, watchAgents } from './store/watches';

/** Probes of one kind that this node has under way at once. */
const mostUnderWay: Record<ProbeKind, number> = { reach: 32, run: 8 };

/** From the listing to the first run. */
const firstRunSeconds = 60;
const dayMs = 86_400_000;

interface Round {
  now: Date;
  signal: AbortSignal;
}

/**
 * Begins the probes that are due, each agent's no more often than `PROBE_INTERVAL_SECONDS` and by one node alone; they go
 * on by themselves, so that one slow agent delays no other.
 */
export async function probeAgents(round: Round): Promise<void> {
  const everySeconds = env().PROBE_INTERVAL_SECONDS;
  if (everySeconds === 0) return;
  await watchSince(new Date(round.now.getTime() - dayMs), round.now);
  await begin('reach', everySeconds, round);
}

/** The same for real runs of an example, every `PROBE_RUN_INTERVAL_SECONDS`. */
export async function runExamples(round: Round): Promise<void> {
  const { PROBE_INTERVAL_SECONDS, PROBE_RUN_INTERVAL_SECONDS: everySeconds } = env();
  if (PROBE_INTERVAL_SECONDS > 0 && everySeconds > 0) await begin('run', everySeconds, round);
}

/** Watches what rounds have missed, however long ago it was listed, and keeps from them what is not shown. */
export async function tendWatches(now: Date): Promise<void> {
  if (env().PROBE_INTERVAL_SECONDS === 0) return;
  await watchSince(new Date(0), now);
  await parkHidden('reach', now);
  await parkHidden('run', now);
}

function watchSince(since: Date, now: Date): Promise<void> {
  return watchAgents(now, { since, firstRunSeconds: Math.min(env().PROBE_RUN_INTERVAL_SECONDS, firstRunSeconds) });
}

function underWay(): Record<ProbeKind, number> {
  return shared('probes-under-way', () => ({ reach: 0, run: 0 }));
}

async function begin(kind: ProbeKind, everySeconds: number, { now, signal }: Round): Promise<void> {
  const limit = mostUnderWay[kind] - underWay()[kind];
  if (limit <= 0) return;
  for (const agentId of await claimDue(kind, { now, everySeconds, limit })) {
    underWay()[kind] += 1;
    void probe(agentId, kind, signal).finally(() => {
      underWay()[kind] -= 1;
    });
  }
}

async function probe(agentId: string, kind: ProbeKind, signal: AbortSignal): Promise<void> {
  try {
    const agent = await findAgentById(agentId);
    const example = agent && kind === 'run' ? pickExample(agent.card) : null;
    if (!agent || (kind === 'run' && example === null)) return;
    const at = new Date();
    const probed = await probeAgent({ agent, example, requestId: newId('req'), signal });
    if (probed.outcome !== 'skipped') await keep({ agent, kind, probed, at });
  } catch (error) {
    if (!signal.aborted) log.error('probe.failed', { agentId, kind, ...errorFields(error) });
  }
}

interface Kept {
  agent: AgentRecord;
  kind: ProbeKind;
  probed: Probed;
  at: Date;
}

async function keep({ agent, kind, probed, at }: Kept): Promise<void> {
  const good = probed.outcome === 'good';
  await insertProbe({ agentId: agent.id, at, kind, good, ms: probed.ms, failure: probed.failure });
  const change = await changeWatchState(agent.id, (state) => afterProbe(state, { kind, good }, at));
  if (!change) return;
  const { before, state } = change;
  const rung = await tell(agent, { before, state, reason: probed.failure?.message ?? '' });
  await schedule(agent.id, { kind, probed, before, rung });
  if (before.health !== state.health || before.rung !== rung) await markStandingDue([agent.id], new Date());
}

/** When an agent is probed next, where that is not simply an interval later. */
async function schedule(
  agentId: string,
  { kind, probed, before, rung }: Pick<Kept, 'kind' | 'probed'> & { before: WatchState; rung: Rung },
): Promise<void> {
  const { PROBE_INTERVAL_SECONDS: reach, PROBE_RUN_INTERVAL_SECONDS: run } = env();
  const every = { reach, run };
  if (probed.outcome === 'failed') {
    const { retryAfter } = probed;
    const seconds = secondsToNext({ kind, every, retryAfter, failedBefore: before.runFailed, rung });
    if (seconds !== every[kind]) await setDue(agentId, kind, inSeconds(seconds));
  } else if (kind === 'run' && before.rung !== 'listed') {
    // It is up again, and its next check lies as far away as for one that is down.
    await setDue(agentId, 'reach', inSeconds(reach));
  }
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

/** The owner hears of it before anything follows from it, unless no mail can be sent for long. Answers the rung then. */
async function tell(
  agent: AgentRecord,
  { before, state, reason }: { before: WatchState; state: WatchState; reason: string },
): Promise<Rung> {
  const now = new Date();
  const notice = noticeDue(before, state, now);
  if (!notice) return state.rung;
  try {
    const mail = probeMail({ agent, notice, reason });
    await notifyPerson({ ctx: { now }, input: { userId: agent.ownerId, kind: 'agent_health', mail } });
  } catch (error) {
    log.warn('probe.owner_not_told', { agentId: agent.id, ...errorFields(error) });
    if (!isOverdue(state, notice, now)) return state.rung;
    const moved = await changeWatchState(agent.id, (found) => afterSilence(found, notice));
    return moved?.state.rung ?? state.rung;
  }
  const told = await changeWatchState(agent.id, (found) => afterNotice(found, notice, now));
  return told?.state.rung ?? state.rung;
}
