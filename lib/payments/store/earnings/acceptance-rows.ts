import { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { bool, float8, json, nullable, row, text, timestamptz } from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import type { AcceptanceRecord, SaleKind } from '../../record';
import type { HoldReason } from '../../schema-income';

const acceptanceRow = row({
  saleKind: text<SaleKind>(),
  saleId: text(),
  userId: text(),
  sellerId: text(),
  agentId: text(),
  terms: json<AcceptanceRecord['terms']>(),
  acceptBy: timestamptz(),
  acceptedAt: nullable(timestamptz()),
  priorHold: text<HoldReason>(),
  priorAvailableAt: timestamptz(),
  currency: text(),
  test: bool(),
  gross: float8(),
  refunded: float8(),
  disputeId: nullable(text()),
  isDisputeOver: bool(),
});

/** Selects acceptances `s` with their earnings `e`. `rest` follows the joins. */
function selectAcceptances(rest: Prisma.Sql, tx: Db = db()): Promise<AcceptanceRecord[]> {
  return acceptanceRow.queryIn(
    tx,
    Prisma.sql`SELECT s.sale_kind AS "saleKind", s.sale_id AS "saleId", s.user_id AS "userId", s.seller_id AS "sellerId",
        s.agent_id AS "agentId", s.terms, s.accept_by AS "acceptBy", s.accepted_at AS "acceptedAt",
        s.prior_hold AS "priorHold", s.prior_available_at AS "priorAvailableAt", e.currency, e.test,
        e.gross::float8 AS gross, e.refunded::float8 AS refunded, d.id AS "disputeId",
        coalesce(d.closed_at IS NOT NULL, false) AS "isDisputeOver"
      FROM sale_acceptance s JOIN earning e ON e.sale_kind = s.sale_kind AND e.sale_id = s.sale_id
      LEFT JOIN LATERAL (SELECT d.id, d.closed_at FROM dispute d
        WHERE d.sale_kind = s.sale_kind AND d.sale_id = s.sale_id AND d.created_at < s.accept_by
          AND d.outcome IS DISTINCT FROM 'withdrawn' ORDER BY d.created_at DESC LIMIT 1) d ON true ${rest}`,
  );
}

/** A new acceptance. `earningId`: the earning that the transaction has added. */
export type NewAcceptance = Pick<
  AcceptanceRecord,
  'saleKind' | 'saleId' | 'userId' | 'sellerId' | 'agentId' | 'terms' | 'acceptBy' | 'priorHold' | 'priorAvailableAt'
> & { earningId: string; remindAt: Date };

/** Stores the acceptance of a sale, unless the sale had an earning before. */
export async function insertAcceptance(tx: Db, acceptance: NewAcceptance): Promise<void> {
  const { saleKind, saleId, userId, sellerId, agentId, terms, acceptBy, priorHold, priorAvailableAt } = acceptance;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO sale_acceptance (sale_kind, sale_id, user_id, seller_id, agent_id, terms, accept_by, prior_hold,
        prior_available_at, email, email_due_at)
      SELECT ${saleKind}, ${saleId}, ${userId}, ${sellerId}, ${agentId}, ${JSON.stringify(terms)}::jsonb, ${acceptBy},
        ${priorHold}, ${priorAvailableAt}, 'reminder', ${acceptance.remindAt}::timestamptz
      FROM earning e WHERE e.id = ${acceptance.earningId}`,
  );
}

/** Finds the acceptance of a sale; null if it has none. */
export async function findAcceptance(
  saleKind: SaleKind,
  saleId: string,
  tx: Db = db(),
): Promise<AcceptanceRecord | null> {
  const [found] = await selectAcceptances(Prisma.sql`WHERE s.sale_kind = ${saleKind} AND s.sale_id = ${saleId}`, tx);
  return found ?? null;
}

/** Finds the acceptance of a sale that the user paid; null if it has none, or is another buyer's. */
export async function findOwnAcceptance(
  tx: Db,
  userId: string,
  { saleKind, saleId }: Pick<AcceptanceRecord, 'saleKind' | 'saleId'>,
): Promise<AcceptanceRecord | null> {
  const [found] = await selectAcceptances(
    Prisma.sql`WHERE s.sale_kind = ${saleKind} AND s.sale_id = ${saleId} AND s.user_id = ${userId}`,
    tx,
  );
  return found ?? null;
}

/** Returns the acceptances of sales, by the id of the sale. */
export async function findAcceptances(saleIds: string[]): Promise<Map<string, AcceptanceRecord>> {
  if (saleIds.length === 0) return new Map();
  const found = await selectAcceptances(
    Prisma.sql`WHERE s.sale_kind IN ('order', 'charge') AND s.sale_id = ANY(${saleIds})`,
  );
  return new Map(found.map((acceptance) => [acceptance.saleId, acceptance]));
}

/** Returns what awaits the answer of a buyer, the next to be accepted by itself first. */
export function findAwaited(
  userId: string,
  { after, limit, now }: { after: Pick<AcceptanceRecord, 'acceptBy' | 'saleId'> | null; limit: number; now: Date },
): Promise<AcceptanceRecord[]> {
  const next = after ? Prisma.sql`AND (s.accept_by, s.sale_id) > (${after.acceptBy}, ${after.saleId})` : Prisma.empty;
  return selectAcceptances(
    Prisma.sql`WHERE s.user_id = ${userId} AND s.accept_by > ${now} AND s.accepted_at IS NULL AND e.refunded < e.gross
        AND d.id IS NULL ${next}
      ORDER BY s.accept_by, s.sale_id LIMIT ${limit}`,
  );
}

/** Stores the buyer's acceptance, and queues the email to the seller. */
export async function setAccepted(
  tx: Db,
  { saleKind, saleId }: Pick<AcceptanceRecord, 'saleKind' | 'saleId'>,
  at: Date,
): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE sale_acceptance SET accepted_at = ${at}, email = 'accepted', email_due_at = ${at}, email_attempts = 0
      WHERE sale_kind = ${saleKind} AND sale_id = ${saleId} AND accepted_at IS NULL`,
  );
}

/** Replaces a buyer by a pseudonym. The terms, dates and the acceptance remain. */
export async function anonymizeAcceptances(tx: Db, userId: string, pseudonym: string): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE sale_acceptance SET user_id = ${pseudonym},
        email = CASE WHEN email = 'accepted' THEN email END,
        email_due_at = CASE WHEN email = 'accepted' THEN email_due_at END
      WHERE user_id = ${userId}`,
  );
}
