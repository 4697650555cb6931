import { type Db, db, isUniqueViolation } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';

/** The public profile of a user who lists agents. */
export interface PublisherRecord {
  userId: string;
  handle: string;
  /** The public name; defaults to the account's name. */
  name: string;
  /** Null while the account's name is used. */
  ownName: string | null;
  bio: string;
  link: string | null;
  createdAt: Date;
}

const columns = `p.user_id AS "userId", p.handle, coalesce(p.name, u.name) AS name, p.name AS "ownName", p.bio, p.link,
  u.created_at AS "createdAt"`;
const joined = 'FROM publisher p JOIN "user" u ON u.id = p.user_id';

export async function selectPublisher(userId: string): Promise<PublisherRecord | null> {
  const rows = await query<PublisherRecord>('publisher', `SELECT ${columns} ${joined} WHERE p.user_id = $1`, [userId]);
  return rows[0] ?? null;
}

export async function selectPublisherByHandle(handle: string): Promise<PublisherRecord | null> {
  const text = `SELECT ${columns} ${joined} WHERE p.handle = $1`;
  return (await query<PublisherRecord>('publisher-by-handle', text, [handle]))[0] ?? null;
}

/** Creates the user's profile with the handle, or a variant of it if taken, unless they have one. */
export async function ensurePublisher(userId: string, handle: string, now: Date): Promise<void> {
  const text = `INSERT INTO publisher (user_id, handle, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
  for (const candidate of [handle, `${handle}-${newId('usr').slice(-5)}`]) {
    await query('ensure-publisher', text, [userId, candidate, now]);
    if (await selectPublisher(userId)) return;
  }
}

/** The editable fields of a profile. */
type PublisherChanges = { handle: string; name: string | null; bio: string; link: string | null };

/** Returns false when the handle is taken. */
export async function savePublisher(userId: string, changes: PublisherChanges, now: Date): Promise<boolean> {
  try {
    const create = { userId, ...changes, createdAt: now };
    await db().publisher.upsert({ where: { userId }, create, update: changes });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** The slugs of a user's public listings, latest first. */
export async function selectListedOf(ownerId: string, limit: number): Promise<string[]> {
  const rows = await query<{ slug: string }>(
    'listed-of',
    `SELECT slug FROM agent WHERE owner_id = $1 AND visibility = 'public' AND status IN ('active', 'deprecated')
     ORDER BY created_at DESC, id LIMIT $2`,
    [ownerId, limit],
  );
  return rows.map(({ slug }) => slug);
}

/** Deletes the profile of a deleted account. */
export async function erasePublisher(tx: Db, userId: string): Promise<void> {
  await tx.publisher.deleteMany({ where: { userId } });
}
