import { Prisma } from '../../generated/prisma/client';
import { type Db, isUniqueViolation } from '../../platform/db/db';
import { nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { newId } from '../../platform/ids';
import { OWNERSHIP_GRACE_MS, OWNERSHIP_RECHECK_DAYS, OWNERSHIP_RECHECK_JITTER_HOURS } from '../limits';

const publisherRow = row({
  userId: text(),
  handle: text(),
  /** The public name; defaults to the account's name. */
  name: text(),
  /** Null while the account's name is used. */
  ownName: nullable(text()),
  bio: text(),
  link: nullable(text()),
  createdAt: timestamptz(),
});

/** The public profile of a user who lists agents. */
export type PublisherRecord = RowOf<typeof publisherRow>;

const publisherColumns = `p.user_id AS "userId", p.handle, coalesce(p.name, u.name) AS name, p.name AS "ownName", p.bio, p.link,
  u.created_at AS "createdAt"`;
const joined = 'FROM publisher p JOIN "user" u ON u.id = p.user_id';

export async function selectPublisher(userId: string): Promise<PublisherRecord | null> {
  return publisherRow.queryFirst('publisher', `SELECT ${publisherColumns} ${joined} WHERE p.user_id = $1`, [userId]);
}

export async function selectPublisherByHandle(handle: string): Promise<PublisherRecord | null> {
  const text = `SELECT ${publisherColumns} ${joined} WHERE p.handle = $1`;
  return publisherRow.queryFirst('publisher-by-handle', text, [handle]);
}

/** Creates the user's profile with the handle, or a variant of it if taken, unless they have one. */
export async function ensurePublisher(userId: string, handle: string, now: Date): Promise<void> {
  const text = `INSERT INTO publisher (user_id, handle, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
  for (const candidate of [handle, `${handle}-${newId('usr').slice(-5)}`]) {
    await execute('ensure-publisher', text, [userId, candidate, now]);
    if (await selectPublisher(userId)) return;
  }
}

/** The editable fields of a profile. */
type PublisherChanges = { handle: string; name: string | null; bio: string; link: string | null };

/** Saves a profile. Returns false if the handle is taken. */
export async function savePublisher(userId: string, changes: PublisherChanges, now: Date): Promise<boolean> {
  const { handle, name, bio, link } = changes;
  try {
    await execute(
      'save-publisher',
      `INSERT INTO publisher (user_id, handle, name, bio, link, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (user_id) DO UPDATE SET handle = excluded.handle, name = excluded.name, bio = excluded.bio,
         link = excluded.link`,
      [userId, handle, name, bio, link, now],
    );
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

const slugRow = row({ slug: text() });

/** Returns the slugs of a user's public listings, newest first. */
export async function selectListedOf(ownerId: string, limit: number): Promise<string[]> {
  const rows = await slugRow.query(
    'listed-of',
    `SELECT slug FROM agent WHERE owner_id = $1 AND visibility = 'public' AND status IN ('active', 'deprecated')
     ORDER BY created_at DESC, id LIMIT $2`,
    [ownerId, limit],
  );
  return rows.map(({ slug }) => slug);
}

/** Deletes the profile of a deleted account. */
export async function erasePublisher(tx: Db, userId: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM publisher WHERE user_id = ${userId}`);
}

const ownershipRow = row({
  agentId: text(),
  method: text<'dns' | 'file'>(),
  provedAt: timestamptz(),
  checkedAt: timestamptz(),
  missingSince: nullable(timestamptz()),
});

/** The proof that an agent's owner controls its host. */
export type OwnershipRecord = RowOf<typeof ownershipRow>;

const ownershipColumns = `agent_id AS "agentId", method, proved_at AS "provedAt", checked_at AS "checkedAt", missing_since AS "missingSince"`;
const nextCheck = `interval '${OWNERSHIP_RECHECK_DAYS} day' + random() * interval '${OWNERSHIP_RECHECK_JITTER_HOURS} hours'`;

export async function selectOwnership(agentId: string): Promise<OwnershipRecord | null> {
  const text = `SELECT ${ownershipColumns} FROM agent_ownership WHERE agent_id = $1`;
  return ownershipRow.queryFirst('ownership', text, [agentId]);
}

/** Records that the ownership proof of an agent was found. */
export async function saveProof(
  agentId: string,
  { method, now }: { method: 'dns' | 'file'; now: Date },
): Promise<void> {
  await execute(
    'save-ownership-proof',
    `INSERT INTO agent_ownership (agent_id, method, proved_at, checked_at, next_check_at)
     VALUES ($1, $2, $3, $3, $3::timestamptz + ${nextCheck})
     ON CONFLICT (agent_id) DO UPDATE SET method = excluded.method, checked_at = excluded.checked_at,
       next_check_at = excluded.next_check_at, missing_since = NULL`,
    [agentId, method, now],
  );
}

const missingRow = row({ since: timestamptz() });

/** Records that the ownership proof of an agent was not found. Returns the time since which it has been missing. */
export async function markProofMissing(agentId: string, now: Date): Promise<Date> {
  const rows = await missingRow.query(
    'mark-ownership-proof-missing',
    `UPDATE agent_ownership SET checked_at = $2, missing_since = coalesce(missing_since, $2) WHERE agent_id = $1
     RETURNING missing_since AS since`,
    [agentId, now],
  );
  return rows[0]?.since ?? now;
}

export async function deleteOwnership(agentId: string): Promise<void> {
  await execute('delete-ownership', 'DELETE FROM agent_ownership WHERE agent_id = $1', [agentId]);
}

/** Sets or removes the badge `verified` according to the stored proof. */
export async function syncVerifiedBadge(tx: Db, agentId: string): Promise<void> {
  const missingSince = new Date(Date.now() - OWNERSHIP_GRACE_MS);
  await executeIn(
    tx,
    Prisma.sql`UPDATE agent a SET badges = array_remove(a.badges, 'verified') || CASE WHEN EXISTS (
        SELECT FROM agent_ownership o WHERE o.agent_id = a.id AND (o.missing_since IS NULL OR o.missing_since > ${missingSince}))
        THEN ARRAY['verified'] ELSE ARRAY[]::text[] END
      WHERE a.id = ${agentId}`,
  );
}

const claimedRow = row({ agentId: text() });

/** Claims at most `limit` agents whose ownership proof is due for a check, and schedules their next check. */
export async function claimDueOwnerships(now: Date, limit: number): Promise<string[]> {
  const rows = await claimedRow.query(
    'claim-ownerships',
    `UPDATE agent_ownership SET next_check_at = $1::timestamptz + ${nextCheck} WHERE agent_id IN (
       SELECT o.agent_id FROM agent_ownership o JOIN agent a ON a.id = o.agent_id
       WHERE o.next_check_at <= $1 AND a.status IN ('active', 'deprecated')
       ORDER BY o.next_check_at LIMIT $2 FOR UPDATE OF o SKIP LOCKED)
     RETURNING agent_id AS "agentId"`,
    [now, limit],
  );
  return rows.map(({ agentId }) => agentId);
}
