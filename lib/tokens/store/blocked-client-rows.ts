import { type AuditEntry, appendAudit } from '../../observability';
import { notifyAllPayload } from '../../platform/bus';
import { db } from '../../platform/db/db';
import { inTransaction, notify } from '../../platform/db/tx';
import { MAX_LISTED_BLOCKED_CLIENTS } from '../limits';

export interface BlockRecord {
  id: string;
  clientId: string;
  reason: string;
  createdAt: Date;
}

/** The key of a client in notifications and caches. Client ids may contain commas, which separate keys. */
export function blockKeyOf(clientId: string): string {
  return Buffer.from(clientId).toString('base64url');
}

/** True when the client with this key is blocked. */
export async function isBlocked(key: string): Promise<boolean> {
  const clientId = Buffer.from(key, 'base64url').toString();
  return (await db().blockedClient.count({ where: { clientId } })) === 1;
}

/** The latest blocks, newest first. */
export async function listBlocks(): Promise<BlockRecord[]> {
  return db().blockedClient.findMany({
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: MAX_LISTED_BLOCKED_CLIENTS,
  });
}

/** Blocks a client and notifies every node; false when it is already blocked. */
export async function insertBlock(block: BlockRecord, audit: AuditEntry): Promise<boolean> {
  return inTransaction(async (tx) => {
    const { count } = await tx.blockedClient.createMany({ data: block, skipDuplicates: true });
    if (count === 0) return false;
    await notify(tx, notifyAllPayload('client', blockKeyOf(block.clientId)));
    await appendAudit(tx, audit);
    return true;
  });
}

/** Removes a block and notifies every node; the client id, or null when there is no such block. */
export async function deleteBlock(id: string, audit: AuditEntry): Promise<string | null> {
  return inTransaction(async (tx) => {
    const found = await tx.blockedClient.findUnique({ where: { id } });
    const { count } = await tx.blockedClient.deleteMany({ where: { id } });
    if (!found || count === 0) return null;
    await notify(tx, notifyAllPayload('client', blockKeyOf(found.clientId)));
    await appendAudit(tx, audit);
    return found.clientId;
  });
}
