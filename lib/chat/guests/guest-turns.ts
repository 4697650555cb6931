import { type AgentRecord, findAgent, getAgentForMember, isOpenToGuests } from '../../catalog';
import { findGuestNetwork } from '../../identity';
import type { Call, GuestActor } from '../../platform/context';
import { inTransaction, lockName } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { DAY_MS } from '../../platform/time';
import { GUEST_TURNS, GUEST_TURNS_PER_AGENT, GUEST_TURNS_PER_NETWORK } from '../limits';
import {
  countGuestTurns,
  countGuestTurnsOfAgent,
  countOwnGuestTurns,
  deleteGuestTurn,
  deleteGuestTurnsBefore,
  type GuestTurnCounts,
  insertGuestTurn,
} from '../store/guest-turn-rows';

/** A message of a guest that was counted. */
interface AdmittedTurn {
  /** Messages that the guest can still send to this agent. */
  left: number;
  /** Withdraws a message that was not sent. */
  cancel: () => Promise<void>;
}

interface GuestMessage {
  agent: AgentRecord;
  messageId: string;
  now: Date;
}

/**
 * Counts a guest's message against the limits of the guest, the network and the agent's owner. Concurrent messages never
 * exceed them, on any number of nodes. A repetition of a message counts once.
 * @throws {ParleyError} `unauthenticated` if the agent is not open to guests; `guest_limit_reached`
 */
export async function admitGuestTurn(
  { userId: guestId }: GuestActor,
  { agent, messageId, now }: GuestMessage,
): Promise<AdmittedTurn> {
  if (!isOpenToGuests(agent)) throw accountNeeded();
  const network = await findGuestNetwork(guestId);
  if (network === null) throw accountNeeded();
  const turn = { guestId, messageId, agentId: agent.id, network, at: now };
  const left = await oneAtATime(agent.id, () =>
    inTransaction(async (tx) => {
      // Always in this order, so that two messages cannot block each other.
      await lockName(tx, `guest-turns ${agent.id}`);
      await lockName(tx, `guest-turns ${network}`);
      const counts = await countGuestTurns(tx, turn, new Date(now.getTime() - DAY_MS));
      if (counts.isKnown) return leftOf(counts.ofGuestAtAgent, counts.ofGuest);
      checkLimits(counts, agent, now);
      await insertGuestTurn(tx, turn);
      return leftOf(counts.ofGuestAtAgent + 1, counts.ofGuest + 1);
    }),
  );
  return { left, cancel: () => deleteGuestTurn(turn) };
}

/** The last admission of each agent on this node. */
const admissions = new Map<string, Promise<unknown>>();

/** Waits here instead of in the database, where each waiting transaction would hold a connection. */
function oneAtATime<Result>(agentId: string, work: () => Promise<Result>): Promise<Result> {
  const next = (admissions.get(agentId) ?? Promise.resolve()).then(work, work);
  admissions.set(agentId, next);
  const end = (): void => {
    if (admissions.get(agentId) === next) admissions.delete(agentId);
  };
  next.then(end, end);
  return next;
}

function leftOf(atAgent: number, inAll: number): number {
  return Math.max(0, Math.min(GUEST_TURNS_PER_AGENT - atAgent, GUEST_TURNS - inAll));
}

function checkLimits(counts: GuestTurnCounts, { name, callLimits }: AgentRecord, now: Date): void {
  const again = 'Create a free account to continue: this conversation is kept.';
  const retryAfter = Math.ceil(((counts.oldest ?? now).getTime() + DAY_MS - now.getTime()) / 1_000);
  const reached = (limit: string, quota: number, text: string): ParleyError =>
    new ParleyError('guest_limit_reached', `${text} ${again}`, {
      data: { limit },
      retryAfter,
      limit: { name: `guest-${limit}`, quota, window: DAY_MS / 1_000, unit: 'requests' },
    });
  if (counts.ofGuestAtAgent >= GUEST_TURNS_PER_AGENT)
    throw reached(
      'agent',
      GUEST_TURNS_PER_AGENT,
      `You have sent ${GUEST_TURNS_PER_AGENT} free messages to ${name} today.`,
    );
  if (counts.ofGuest >= GUEST_TURNS)
    throw reached('total', GUEST_TURNS, `You have sent ${GUEST_TURNS} free messages today.`);
  if (counts.ofNetwork >= GUEST_TURNS_PER_NETWORK)
    throw reached('network', GUEST_TURNS_PER_NETWORK, 'The free messages for your network are used up for today.');
  const { guestTurnsPerDay = 0 } = callLimits;
  if (counts.ofAgent >= guestTurnsPerDay)
    throw reached('owner', guestTurnsPerDay, `${name} has no free messages left today.`);
}

function accountNeeded(): ParleyError {
  return new ParleyError('unauthenticated', 'This agent requires an account. Sign in, or create a free account.');
}

/** Returns the number of messages that a guest can still send to an agent today, by the guest's own limits. */
export async function getGuestTurnsLeft({ userId }: GuestActor, slug: string, now: Date): Promise<number> {
  const agent = await findAgent(slug);
  if (!agent) return 0;
  const { atAgent, inAll } = await countOwnGuestTurns(userId, agent.id, new Date(now.getTime() - DAY_MS));
  return leftOf(atAgent, inAll);
}

/**
 * Returns the number of messages from guests to an agent of the user's team in the last 24 hours; 0 for other agents.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function countGuestMessages(call: Call<{ slug: string }>): Promise<number> {
  const agent = await getAgentForMember(call);
  return agent ? countGuestTurnsOfAgent(agent.id, new Date(call.ctx.now.getTime() - DAY_MS)) : 0;
}

/** Deletes the counted messages of guests that no longer affect a limit. */
export function pruneGuestTurns(now: Date): Promise<void> {
  return deleteGuestTurnsBefore(new Date(now.getTime() - DAY_MS));
}
