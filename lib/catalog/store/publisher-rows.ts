import { Prisma } from '../../generated/prisma/client';
import { type Db, isUniqueViolation } from '../../platform/db/db';
import { nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { newId } from '../../platform/ids';

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

const columns = `p.user_id AS "userId", p.handle, coalesce(p.name, u.name) AS name, p.name AS "ownName", p.bio, p.link,
  u.created_at AS "createdAt"`;
const joined = 'FROM publisher p JOIN "user" u ON u.id = p.user_id';

export async function selectPublisher(userId: string): Promise<PublisherRecord | null> {
  return publisherRow.queryFirst('publisher', `SELECT ${columns} ${joined} WHERE p.user_id = $1`, [userId]);
}

export async function selectPublisherByHandle(handle: string): Promise<PublisherRecord | null> {
  const text = `SELECT ${columns} ${joined} WHERE p.handle = $1`;
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

/** Returns false when the handle is taken. */
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

/** The slugs of a user's public listings, latest first. */
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
