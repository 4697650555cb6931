import { Prisma } from '../../generated/prisma/client';
import { notifyAllPayload } from '../../platform/bus';
import type { Db } from '../../platform/db/db';
import { row, text } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { notify } from '../../platform/db/tx';
import { MAX_CONNECTION_SIGN_INS } from '../limits';

const idRow = row({ id: text() });

/**
 * Frees a place for a new sign-in of a locked connection: removes ended sign-ins and, at the maximum, revokes the least
 * recently used one. Notifies every node at the commit. Returns the ids of the revoked sign-ins.
 */
export async function endOldSignIns(
  tx: Db,
  { connectionId, now }: { connectionId: string; now: Date },
): Promise<string[]> {
  await executeIn(
    tx,
    Prisma.sql`WITH ended AS (
        DELETE FROM access_token
        WHERE connection_id = ${connectionId} AND (revoked_at IS NOT NULL OR expires_at <= ${now})
        RETURNING id
      ) INSERT INTO ended_sign_in (credential_id, connection_id) SELECT id, ${connectionId} FROM ended`,
  );
  const revoked = await idRow.queryIn(
    tx,
    Prisma.sql`UPDATE access_token SET revoked_at = ${now} WHERE id IN (
        SELECT id FROM access_token WHERE connection_id = ${connectionId}
        ORDER BY coalesce(last_used_at, created_at) DESC, id OFFSET ${MAX_CONNECTION_SIGN_INS - 1})
      RETURNING id`,
  );
  const ids = revoked.map(({ id }) => id);
  await notify(tx, ...ids.map((id) => notifyAllPayload('credential', id)));
  return ids;
}
