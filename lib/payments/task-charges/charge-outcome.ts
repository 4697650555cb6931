import type { PricePlan } from '../../catalog/schema-prices';
import { isFinal, isPause, statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type TaskState } from '../../protocol/a2a/core/model';
import { readUnits } from '../../protocol/a2a/price-extension';
import type { ChargeReason } from '../schema-plans';

/** What a charge pays, and the amount that is held for it, minor units. */
export interface ChargedTurn {
  plan: Pick<PricePlan, 'kind' | 'amount' | 'unit' | 'per'>;
  authorized: number;
  /** The message that the charge pays; null if it pays the whole task. */
  messageId: string | null;
}

/** The end of a charge: the amount to capture, of which 0 releases the hold, and why it is not the whole amount. */
export interface ChargeOutcome {
  captured: number;
  units: number | null;
  reason: ChargeReason | null;
}

/**
 * Returns what a task's events make of a charge; null if the work that it pays has not ended. Work that failed, was
 * rejected, was canceled before any output, or has no output costs nothing. Never more than the authorized amount.
 */
export function chargeOutcome(charge: ChargedTurn, events: readonly TaskEvent[]): ChargeOutcome | null {
  const own = charge.messageId === null ? events : turnOf(events, charge.messageId);
  const state = endOf(own, charge);
  if (state === null) return null;
  if (state === 'failed' || state === 'rejected') return nothing(state);
  if (charge.plan.kind === 'unit') return unitOutcome(charge, own, state);
  if (!own.some(hasOutput)) return nothing(state === 'canceled' ? 'canceled' : 'no_output');
  return { captured: charge.authorized, units: null, reason: null };
}

/** Returns the outcome of a charge whose hold has lasted for the longest time: only reported units are captured. */
export function expiredOutcome(charge: ChargedTurn, events: readonly TaskEvent[]): ChargeOutcome {
  if (charge.plan.kind !== 'unit') return nothing('expired');
  const { captured, units } = unitOutcome(charge, events, 'canceled');
  return { captured, units, reason: 'expired' };
}

/** Returns the price of a number of units, minor units, rounded up. */
export function priceOfUnits({ amount, per }: Pick<PricePlan, 'amount' | 'per'>, units: number): bigint {
  const size = BigInt(per ?? 1);
  return (BigInt(units) * BigInt(amount) + size - 1n) / size;
}

function unitOutcome({ plan, authorized }: ChargedTurn, events: readonly TaskEvent[], state: TaskState): ChargeOutcome {
  const units = readUnits(events, plan.unit ?? '');
  if (units === null || units === 0)
    return { captured: 0, units, reason: state === 'canceled' ? 'canceled' : 'no_units' };
  const price = priceOfUnits(plan, units);
  if (price > BigInt(authorized)) return { captured: authorized, units, reason: 'cap_reached' };
  return { captured: Number(price), units, reason: null };
}

function nothing(reason: ChargeReason): ChargeOutcome {
  return { captured: 0, units: null, reason };
}

/** Returns the events from a message to the next one. */
function turnOf(events: readonly TaskEvent[], messageId: string): readonly TaskEvent[] {
  const start = events.findIndex((event) => event.type === 'message' && event.message.messageId === messageId);
  if (start < 0) return [];
  const next = events.findIndex((event, at) => at > start && event.type === 'message');
  return events.slice(start, next < 0 ? undefined : next);
}

/**
 * Returns the state in which the paid work ended; null if it has not. A message is answered by a question too; a task
 * ends in a terminal state. While the agent waits for an authorization, it may continue without another message.
 */
function endOf(events: readonly TaskEvent[], { messageId }: ChargedTurn): TaskState | null {
  if (events.length === 0) return null;
  const last = events.findLast((event) => statusOf(event) !== null && !isPause(event));
  const state = last && statusOf(last)?.state;
  if (!state) return null;
  if (events.some((event) => event.type === 'status' && event.refusal !== undefined && !isFinal(event)))
    return 'rejected';
  if (isTerminal(state)) return state;
  return messageId !== null && state === 'input-required' ? state : null;
}

function hasOutput(event: TaskEvent): boolean {
  if (event.type === 'artifact') return event.artifact.parts.length > 0;
  if (event.type === 'message') return false;
  return (statusOf(event)?.message?.parts.length ?? 0) > 0;
}
