import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bool, int4, nullable, type RowOf, row, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';

/** A message of a guest. */
export interface GuestTurn {
  guestId: string;
  messageId: string;
  agentId: string;
  network: string;
  at: Date;
}

const countsRow = row({
  isKnown: bool(),
  ofGuest: int4(),
  ofGuestAtAgent: int4(),
  ofNetwork: int4(),
  ofAgent: int4(),
  oldest: nullable(timestamptz()),
});

/**
 * The numbers of messages since a time that count against a guest's next message, and the time of the guest's own first
 * message.
 */
export type GuestTurnCounts = RowOf<typeof countsRow>;

type Place = Omit<GuestTurn, 'at'>;

/** Returns the counts for a message. `isKnown` is true if the message is a repetition. */
export async function countGuestTurns(tx: Db, place: Place, since: Date): Promise<GuestTurnCounts> {
  const { guestId, messageId, agentId, network } = place;
  const [counts] = await countsRow.queryIn(
    tx,
    Prisma.sql`SELECT
      EXISTS (SELECT FROM guest_turn WHERE guest_id = ${guestId} AND message_id = ${messageId}) AS "isKnown",
      (SELECT count(*)::int FROM guest_turn WHERE guest_id = ${guestId} AND at > ${since}) AS "ofGuest",
      (SELECT count(*)::int FROM guest_turn WHERE guest_id = ${guestId} AND agent_id = ${agentId} AND at > ${since})
        AS "ofGuestAtAgent",
      (SELECT count(*)::int FROM guest_turn WHERE network = ${network} AND at > ${since}) AS "ofNetwork",
      (SELECT count(*)::int FROM guest_turn WHERE agent_id = ${agentId} AND at > ${since}) AS "ofAgent",
      (SELECT min(at) FROM guest_turn WHERE guest_id = ${guestId} AND at > ${since}) AS oldest`,
  );
  if (!counts) throw new Error('a select without from returned no row');
  return counts;
}

export async function insertGuestTurn(tx: Db, turn: GuestTurn): Promise<void> {
  const { guestId, messageId, agentId, network, at } = turn;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO guest_turn (guest_id, message_id, agent_id, network, at)
      VALUES (${guestId}, ${messageId}, ${agentId}, ${network}, ${at})`,
  );
}

/** Removes a message that was not sent. */
export async function deleteGuestTurn({ guestId, messageId }: Pick<GuestTurn, 'guestId' | 'messageId'>): Promise<void> {
  const statement = 'DELETE FROM guest_turn WHERE guest_id = $1 AND message_id = $2';
  await execute('guest-turn-cancel', statement, [guestId, messageId]);
}

/** Removes the guests' messages from before a time, which no longer count. */
export async function deleteGuestTurnsBefore(before: Date): Promise<void> {
  await execute('guest-turn-prune', 'DELETE FROM guest_turn WHERE at < $1', [before]);
}

const numberRow = row({ count: int4() });

/** Returns the number of guests' messages to an agent since a time. */
export async function countGuestTurnsOfAgent(agentId: string, since: Date): Promise<number> {
  const statement = 'SELECT count(*)::int AS count FROM guest_turn WHERE agent_id = $1 AND at > $2';
  return (await numberRow.queryFirst('guest-turns-of-agent', statement, [agentId, since]))?.count ?? 0;
}

/** Returns the number of a guest's messages since a time, to an agent and in total. */
export async function countOwnGuestTurns(
  guestId: string,
  agentId: string,
  since: Date,
): Promise<{ atAgent: number; inAll: number }> {
  const rows = await ownRow.queryFirst(
    'guest-turns-own',
    `SELECT (count(*) FILTER (WHERE agent_id = $2))::int AS "atAgent", count(*)::int AS "inAll"
     FROM guest_turn WHERE guest_id = $1 AND at > $3`,
    [guestId, agentId, since],
  );
  return rows ?? { atAgent: 0, inAll: 0 };
}

const ownRow = row({ atAgent: int4(), inAll: int4() });
