import type { AgentRecord } from '../catalog';
import type { EscalationStage, Health } from '../discovery/schema-rankings';
import { env } from '../platform/runtime/env';
import { DAY_MS } from '../platform/time';
import type { MailText, Translation } from '../texts/sent-texts';
import {
  ALERT_GRACE_DAYS,
  ALERT_INTERVAL_MS,
  DOWN_THRESHOLD,
  MAINTENANCE_AFTER_DAYS,
  MAX_ALERT_REASON_LENGTH,
  MAX_RETRY_AFTER_SECONDS,
  MIN_PROBE_INTERVAL_SECONDS,
  RUN_RETRY_INTERVALS,
  WITHHELD_AFTER_DAYS,
} from './limits';
import type { ProbeKind } from './schema';

/** An agent's state after its last probe. */
export interface ProbeState {
  health: Health;
  /** The number of consecutive failed reachability probes, and the time of the first of them. */
  consecutiveFailures: number;
  failingSince: Date | null;
  runFailed: boolean;
  checkedAt: Date | null;
  checkedBy: ProbeKind | null;
  /** The time at which its owner was last notified of a failure. */
  alertedAt: Date | null;
  stage: EscalationStage;
}

/** A notification of the owner: the agent is down, its example failed, it ranks last, or it is excluded from search. */
type OwnerAlert = 'down' | 'run' | 'maintenance' | 'withheld';

/** Returns the state after a probe. One success resets failures and escalation. */
export function afterProbe(
  state: ProbeState,
  { kind, good }: { kind: ProbeKind; good: boolean },
  now: Date,
): ProbeState {
  const isReachabilityFailure = !good && kind === 'reach';
  const reachability = good
    ? { consecutiveFailures: 0, failingSince: null, stage: 'listed' as const }
    : { consecutiveFailures: state.consecutiveFailures + 1, failingSince: state.failingSince ?? now };
  const next = {
    ...state,
    ...(good || isReachabilityFailure ? reachability : {}),
    // A successful probe after an outage clears a failed run, which the outage may have caused. The next run determines
    // the state.
    runFailed: kind === 'run' ? !good : state.runFailed && !(good && state.consecutiveFailures > 0),
    checkedAt: now,
    checkedBy: kind,
  };
  return { ...next, health: healthOf(next) };
}

function healthOf({ consecutiveFailures, runFailed }: Pick<ProbeState, 'consecutiveFailures' | 'runFailed'>): Health {
  if (consecutiveFailures >= DOWN_THRESHOLD) return 'down';
  return consecutiveFailures > 0 || runFailed ? 'degraded' : 'healthy';
}

/** Returns the notification that is due: each escalation before it takes effect, otherwise at most one email a day. */
export function ownerAlertDue(before: ProbeState, state: ProbeState, now: Date): OwnerAlert | null {
  const isRun = state.checkedBy === 'run';
  const sinceAlert = state.alertedAt ? now.getTime() - state.alertedAt.getTime() : Number.POSITIVE_INFINITY;
  const isDown = state.consecutiveFailures >= DOWN_THRESHOLD && state.failingSince !== null;
  // While the agent is down, only reachability probes notify, so that no outage is reported twice.
  if (isRun) return !isDown && state.runFailed && !before.runFailed && sinceAlert >= ALERT_INTERVAL_MS ? 'run' : null;
  if (!isDown || !state.failingSince) return null;
  const downDays = (now.getTime() - state.failingSince.getTime()) / DAY_MS;
  if (state.stage === 'maintenance' && downDays >= WITHHELD_AFTER_DAYS) return 'withheld';
  if (state.stage === 'listed' && downDays >= MAINTENANCE_AFTER_DAYS) return 'maintenance';
  const alreadyAlerted = state.alertedAt !== null && state.alertedAt >= state.failingSince;
  return alreadyAlerted || sinceAlert < ALERT_INTERVAL_MS ? null : 'down';
}

/** Returns the state after the owner was notified. */
export function afterAlertSent(state: ProbeState, alertKind: OwnerAlert, now: Date): ProbeState {
  return { ...afterAlertFailed(state, alertKind), alertedAt: now };
}

/** Returns the state after the grace period of a notification that could not be sent. */
export function afterAlertFailed(state: ProbeState, alertKind: OwnerAlert): ProbeState {
  const isDown = state.consecutiveFailures >= DOWN_THRESHOLD;
  return {
    ...state,
    stage: isDown && (alertKind === 'maintenance' || alertKind === 'withheld') ? alertKind : state.stage,
  };
}

/** Returns true if an escalation no longer waits for its email. */
export function isAlertOverdue({ failingSince }: ProbeState, alertKind: OwnerAlert, now: Date): boolean {
  if (!failingSince || (alertKind !== 'maintenance' && alertKind !== 'withheld')) return false;
  const dueDays = alertKind === 'maintenance' ? MAINTENANCE_AFTER_DAYS : WITHHELD_AFTER_DAYS;
  return now.getTime() - failingSince.getTime() >= (dueDays + ALERT_GRACE_DAYS) * DAY_MS;
}

interface FailedProbe {
  kind: ProbeKind;
  /** The configured intervals, seconds. */
  intervals: Record<ProbeKind, number>;
  /** `Retry-After` of the response, seconds. */
  retryAfter: number | null;
  /** True if the previous run failed too. */
  failedBefore: boolean;
  stage: EscalationStage;
}

/** Returns the seconds from a failed probe to the next one. */
export function secondsToNext({ kind, intervals, retryAfter, failedBefore, stage }: FailedProbe): number {
  const requested = Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_SECONDS);
  if (kind === 'reach') return Math.max(intervals.reach, MIN_PROBE_INTERVAL_SECONDS[stage], requested);
  const retry = Math.min(intervals.run, intervals.reach * RUN_RETRY_INTERVALS);
  return Math.max(failedBefore ? intervals.run : retry, requested);
}

interface OwnerAlertInput {
  agent: Pick<AgentRecord, 'slug'>;
  alertKind: OwnerAlert;
  /** The reason why the last probe failed. */
  reason: string;
}

/** Returns the email to an agent's owner about failed probes. */
export function ownerAlertEmail(
  { agent: { slug }, alertKind, reason }: OwnerAlertInput,
  { mail, lines }: Translation,
): MailText {
  const times = { hours: MAINTENANCE_AFTER_DAYS * 24, days: WITHHELD_AFTER_DAYS };
  const { subject, lines: body } = mail(`health.${alertKind}`, { slug, ...times });
  const hasNext = alertKind === 'down' || alertKind === 'maintenance';
  const details = {
    reason: asciiOf(reason),
    probes: `${env().APP_URL}/console/agents/${slug}#probes`,
    ranking: `${env().APP_URL}/ranking`,
  };
  return {
    subject,
    lines: [
      ...body,
      ...(hasNext ? lines('mail.health.next', times) : []),
      '',
      ...lines('mail.health.details', details),
    ],
  };
}

function asciiOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_ALERT_REASON_LENGTH);
}
