import type { EscalationStage, Health } from '../discovery/schema';
import type { ProbeKind } from './schema';

/** How an agent stands after its last probe. */
export interface ProbeState {
  health: Health;
  /** Reachability probes that failed in a row, and since when. */
  failing: number;
  failingSince: Date | null;
  runFailed: boolean;
  checkedAt: Date | null;
  checkedBy: ProbeKind | null;
  /** When its owner was last told that it fails. */
  toldAt: Date | null;
  rung: EscalationStage;
}

/** What its owner is told: that it is down, that an example fails, that it ranks last from now on, that it leaves search. */
export type OwnerAlert = 'down' | 'run' | 'maintenance' | 'withheld';

const dayMs = 86_400_000;
/** Checks that must fail in a row before an agent counts as down: one alone may be our own bad luck. */
const downThreshold = 2;
/** How long it is down before it ranks last, and before it leaves search; docs and the page on ranking say the same. */
export const MAINTENANCE_AFTER_DAYS = 1;
export const WITHHELD_AFTER_DAYS = 14;

/** How long a mail to the owner is tried in vain before the next rung follows without it. */
const alertGraceDays = 1;
/** Who was down for long is asked less often, as the page on ranking says: at least so many seconds lie between two checks. */
const minIntervalSeconds: Record<EscalationStage, number> = { listed: 0, maintenance: 3_600, withheld: 86_400 };
/** A run that failed is repeated once after so many intervals of reachability, so that what was mended is seen. */
const retryIntervals = 4;

/** The state after a probe. One good answer is enough to stand as before. */
export function afterProbe(
  state: ProbeState,
  { kind, good }: { kind: ProbeKind; good: boolean },
  now: Date,
): ProbeState {
  const answered = good || kind === 'run';
  const reached = good
    ? { failing: 0, failingSince: null, rung: 'listed' as const }
    : { failing: state.failing + 1, failingSince: state.failingSince ?? now };
  const next = {
    ...state,
    ...(answered && !good ? {} : reached),
    // A run that failed while nothing was answered says no more than that; the next one tells.
    runFailed: kind === 'run' ? !good : state.runFailed && !(good && state.failing > 0),
    checkedAt: now,
    checkedBy: kind,
  };
  return { ...next, health: healthOf(next) };
}

function healthOf({ failing, runFailed }: Pick<ProbeState, 'failing' | 'runFailed'>): Health {
  if (failing >= downThreshold) return 'down';
  return failing > 0 || runFailed ? 'degraded' : 'healthy';
}

/** What the owner must hear now. Nobody moves down the ladder before they have heard of it, and no more than one mail a day. */
export function ownerAlertDue(before: ProbeState, state: ProbeState, now: Date): OwnerAlert | null {
  const isRun = state.checkedBy === 'run';
  const sinceAlert = state.toldAt ? now.getTime() - state.toldAt.getTime() : Number.POSITIVE_INFINITY;
  const isDown = state.failing >= downThreshold && state.failingSince !== null;
  // Of an agent that is down its checks tell, one after the other, so that nobody hears the same twice.
  if (isRun) return !isDown && state.runFailed && !before.runFailed && sinceAlert >= dayMs ? 'run' : null;
  if (!isDown || !state.failingSince) return null;
  const downDays = (now.getTime() - state.failingSince.getTime()) / dayMs;
  if (state.rung === 'maintenance' && downDays >= WITHHELD_AFTER_DAYS) return 'withheld';
  if (state.rung === 'listed' && downDays >= MAINTENANCE_AFTER_DAYS) return 'maintenance';
  const alreadyAlerted = state.toldAt !== null && state.toldAt >= state.failingSince;
  return alreadyAlerted || sinceAlert < dayMs ? null : 'down';
}

/** The state once the owner was told. */
export function afterAlertSent(state: ProbeState, alertKind: OwnerAlert, now: Date): ProbeState {
  return { ...afterAlertFailed(state, alertKind), toldAt: now };
}

/** The state where the owner could not be told, and that is waited for no longer. */
export function afterAlertFailed(state: ProbeState, alertKind: OwnerAlert): ProbeState {
  const isDown = state.failing >= downThreshold;
  return {
    ...state,
    rung: isDown && (alertKind === 'maintenance' || alertKind === 'withheld') ? alertKind : state.rung,
  };
}

/** True when a mail that cannot be sent holds back a step down the ladder no longer. */
export function isAlertOverdue({ failingSince }: ProbeState, alertKind: OwnerAlert, now: Date): boolean {
  if (!failingSince || (alertKind !== 'maintenance' && alertKind !== 'withheld')) return false;
  const dueDays = alertKind === 'maintenance' ? MAINTENANCE_AFTER_DAYS : WITHHELD_AFTER_DAYS;
  return now.getTime() - failingSince.getTime() >= (dueDays + alertGraceDays) * dayMs;
}

interface FailedProbe {
  kind: ProbeKind;
  /** The usual intervals. */
  intervals: Record<ProbeKind, number>;
  /** Seconds for which the agent asked to be left alone. */
  retryAfter: number | null;
  /** Whether the run before failed too. */
  failedBefore: boolean;
  rung: EscalationStage;
}

/** Seconds from a probe that failed to the next one. */
export function secondsToNext({ kind, intervals: every, retryAfter, failedBefore, rung }: FailedProbe): number {
  const asked = Math.min(retryAfter ?? 0, 86_400);
  if (kind === 'reach') return Math.max(every.reach, minIntervalSeconds[rung], asked);
  const repeat = Math.min(every.run, every.reach * retryIntervals);
  return Math.max(failedBefore ? every.run : repeat, asked);
}
