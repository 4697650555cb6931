import { Prisma } from '../../generated/prisma/client';
import { type Db, isUniqueViolation } from '../../platform/db/db';
import { type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { publishAtCommit } from '../../platform/db/tx';

const guestRow = row({ id: text(), browserHash: text(), network: text(), expiresAt: timestamptz() });

/** A visitor without an account. */
export type Guest = RowOf<typeof guestRow>;

const columns = 'id, browser_hash AS "browserHash", network, expires_at AS "expiresAt"';

export function selectGuestByHash(tokenHash: string): Promise<Guest | null> {
  return guestRow.queryFirst('guest-by-hash', `SELECT ${columns} FROM guest WHERE token_hash = $1`, [tokenHash]);
}

export function selectGuest(id: string): Promise<Guest | null> {
  return guestRow.queryFirst('guest-by-id', `SELECT ${columns} FROM guest WHERE id = $1`, [id]);
}

/** A new guest; `proofId` identifies the proof of work that was required. */
export interface NewGuest extends Guest {
  tokenHash: string;
  proofId: string | null;
  createdAt: Date;
}

/** Inserts a guest; false if the proof was already used. */
export async function insertGuest(guest: NewGuest): Promise<boolean> {
  const { id, tokenHash, browserHash, network, proofId, createdAt, expiresAt } = guest;
  try {
    await execute(
      'guest-start',
      `INSERT INTO guest (id, token_hash, browser_hash, network, proof_id, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, tokenHash, browserHash, network, proofId, createdAt, expiresAt],
    );
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'guest_proof_id_key')) return false;
    throw error;
  }
}

const endedRow = row({ tokenHash: text() });

/** Deletes a guest on every node. Returns false if there is none. */
export async function deleteGuest(tx: Db, id: string): Promise<boolean> {
  const [ended] = await endedRow.queryIn(
    tx,
    Prisma.sql`DELETE FROM guest WHERE id = ${id} RETURNING token_hash AS "tokenHash"`,
  );
  if (ended) await publishAtCommit(tx, 'credential', id, ended.tokenHash);
  return ended !== undefined;
}

const idRow = row({ id: text() });

/** Returns the ids of at most `limit` guests that expired before `now`. */
export async function selectExpiredGuests(
  now: Date,
  { except, limit }: { except: string[]; limit: number },
): Promise<string[]> {
  const statement = 'SELECT id FROM guest WHERE expires_at <= $1 AND id <> ALL($3) ORDER BY expires_at LIMIT $2';
  return (await idRow.query('guest-expired', statement, [now, limit, except])).map(({ id }) => id);
}
