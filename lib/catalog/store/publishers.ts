import { type Db, db, isUniqueViolation } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';

/** How a person who lists agents is shown to others. */
export interface PublisherRecord {
  userId: string;
  handle: string;
  /** The public name; without one, the name of the account. */
  name: string;
  /** Null while the name of the account is shown. */
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

/** Gives a person the handle, or one like it, unless they have one. */
export async function ensurePublisher(userId: string, handle: string, now: Date): Promise<void> {
  const text = `INSERT INTO publisher (user_id, handle, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
  for (const wanted of [handle, `${handle}-${newId('usr').slice(-5)}`]) {
    await query('ensure-publisher', text, [userId, wanted, now]);
    if (await selectPublisher(userId)) return;
  }
}

export type PublisherChanges = { handle: string; name: string | null; bio: string; link: string | null };

/** Answers false when somebody else has the handle. */
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

/** A person's listings that everybody can find, the latest first, and how many there are. */
export async function selectListedOf(ownerId: string, limit: number): Promise<string[]> {
  const rows = await query<{ slug: string }>(
    'listed-of',
    `SELECT slug FROM agent WHERE owner_id = $1 AND visibility = 'public' AND status IN ('active', 'deprecated')
     ORDER BY created_at DESC, id LIMIT $2`,
    [ownerId, limit],
  );
  return rows.map(({ slug }) => slug);
}

export async function erasePublisher(tx: Db, userId: string): Promise<void> {
  await tx.publisher.deleteMany({ where: { userId } });
}
