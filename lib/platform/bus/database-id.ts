import { row, text } from '../db/rows';
import { sha256 } from '../secrets/crypto';

const identityRow = row({ identity: text() });

/** An id of the database, so that the nodes of two Parleys can share a NATS server. The same for all nodes. */
export async function readDatabaseId(): Promise<string> {
  const found = await identityRow.queryFirst(
    'platform-database-id',
    `SELECT concat_ws(' ', (SELECT id FROM _prisma_migrations ORDER BY started_at, id LIMIT 1), d.oid, d.datname) AS identity
     FROM pg_database d WHERE d.datname = current_database()`,
  );
  if (!found) throw new Error('the database does not name itself');
  return sha256(found.identity).slice(0, 16);
}
