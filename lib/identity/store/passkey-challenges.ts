import { Prisma } from '../../generated/prisma/client';
import { row, text } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { inTransaction } from '../../platform/db/tx';

export interface PasskeyChallenge {
  /** base64url. */
  challenge: string;
  userId: string;
  /** `enroll`, or the id of the confirmed operation. */
  purpose: string;
  expiresAt: Date;
}

/** Stores a challenge, replaces the previous one of the same purpose, and deletes all expired ones. */
export async function saveChallenge(
  { challenge, userId, purpose, expiresAt }: PasskeyChallenge,
  now: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    await executeIn(
      tx,
      Prisma.sql`DELETE FROM passkey_challenge
        WHERE (user_id = ${userId} AND purpose = ${purpose}) OR expires_at <= ${now}`,
    );
    await executeIn(
      tx,
      Prisma.sql`INSERT INTO passkey_challenge (challenge, user_id, purpose, expires_at)
        VALUES (${challenge}, ${userId}, ${purpose}, ${expiresAt})`,
    );
  });
}

const challengeRow = row({ challenge: text() });

/** Consumes a challenge; null when there is none or it has expired. */
export async function consumeChallenge({
  userId,
  purpose,
  now,
}: {
  userId: string;
  purpose: string;
  now: Date;
}): Promise<string | null> {
  const found = await challengeRow.queryFirst(
    'passkey-challenge-consume',
    `DELETE FROM passkey_challenge WHERE user_id = $1 AND purpose = $2 AND expires_at > $3 RETURNING challenge`,
    [userId, purpose, now],
  );
  return found?.challenge ?? null;
}
