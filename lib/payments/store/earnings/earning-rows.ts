import { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { bool, float8, nullable, row, text, timestamptz } from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import type { EarningRecord, SaleKind } from '../../record';
import type { HoldReason } from '../../schema-income';

const earningRow = row({
  id: text(),
  saleKind: text<SaleKind>(),
  saleId: text(),
  sellerId: text(),
  agentId: text(),
  currency: text(),
  test: bool(),
  gross: float8(),
  fee: float8(),
  tax: float8(),
  refunded: float8(),
  feeRefunded: float8(),
  capturedAt: timestamptz(),
  hold: text<HoldReason>(),
  availableAt: timestamptz(),
  releasedAt: nullable(timestamptz()),
  reserved: float8(),
});

/** Amounts are selected as numbers, because none exceeds 2^53. */
const columns = Prisma.sql`e.id, e.sale_kind AS "saleKind", e.sale_id AS "saleId", e.seller_id AS "sellerId",
  e.agent_id AS "agentId", e.currency, e.test, e.gross::float8 AS gross, e.fee::float8 AS fee, e.tax::float8 AS tax,
  e.refunded::float8 AS refunded, e.fee_refunded::float8 AS "feeRefunded", e.captured_at AS "capturedAt", e.hold,
  e.available_at AS "availableAt", e.released_at AS "releasedAt",
  e.reserved::float8 AS reserved`;

/** Selects earnings. `rest` follows `FROM earning e`. */
export function selectEarnings(rest: Prisma.Sql, tx: Db = db()): Promise<EarningRecord[]> {
  return earningRow.queryIn(tx, Prisma.sql`SELECT ${columns} FROM earning e ${rest}`);
}

const sellerRow = row({ agentId: text(), sellerId: text(), firstSaleAt: nullable(timestamptz()) });

/** The owner of an agent, and the capture of the owner's first sale for real money; null without one. */
export interface AgentSeller {
  agentId: string;
  sellerId: string;
  firstSaleAt: Date | null;
}

/** Returns the sellers of agents. */
export function findSellers(agentIds: string[], tx: Db = db()): Promise<AgentSeller[]> {
  return sellerRow.queryIn(
    tx,
    Prisma.sql`SELECT a.id AS "agentId", a.owner_id AS "sellerId", (SELECT min(e.captured_at) FROM earning e
        WHERE e.seller_id = a.owner_id AND NOT e.test) AS "firstSaleAt"
      FROM agent a WHERE a.id = ANY(${agentIds})`,
  );
}

/** Adds earnings, except those of sales that already have one. Returns how many were added. */
export async function insertEarnings(tx: Db, earnings: EarningRecord[]): Promise<number> {
  if (earnings.length === 0) return 0;
  const values = earnings.map(
    (earning) =>
      Prisma.sql`(${earning.id}, ${earning.saleKind}, ${earning.saleId}, ${earning.sellerId}, ${earning.agentId},
        ${earning.currency}, ${earning.test}, ${BigInt(earning.gross)}, ${BigInt(earning.fee)}, ${BigInt(earning.tax)},
        ${BigInt(earning.refunded)}, ${BigInt(earning.feeRefunded)}, ${earning.capturedAt}, ${earning.hold},
        ${earning.availableAt})`,
  );
  return executeIn(
    tx,
    Prisma.sql`INSERT INTO earning (id, sale_kind, sale_id, seller_id, agent_id, currency, test, gross, fee, tax,
        refunded, fee_refunded, captured_at, hold, available_at)
      VALUES ${Prisma.join(values)} ON CONFLICT (sale_kind, sale_id) DO NOTHING`,
  );
}

/** Finds and locks the earning of a sale until the transaction ends; null if it has none. */
export async function lockEarning(tx: Db, saleKind: SaleKind, saleId: string): Promise<EarningRecord | null> {
  const [found] = await selectEarnings(
    Prisma.sql`WHERE e.sale_kind = ${saleKind} AND e.sale_id = ${saleId} FOR UPDATE`,
    tx,
  );
  return found ?? null;
}

/** Sets the refunded amounts of an earning. */
export async function setRefunded(
  tx: Db,
  { id, refunded, feeRefunded }: Pick<EarningRecord, 'id' | 'refunded' | 'feeRefunded'>,
): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE earning SET refunded = ${BigInt(refunded)}, fee_refunded = ${BigInt(feeRefunded)}
      WHERE id = ${id}`,
  );
}

/** Finds an earning of the seller; null if it is unknown or of another seller. */
export async function findEarning(sellerId: string, id: string): Promise<EarningRecord | null> {
  const [found] = await selectEarnings(Prisma.sql`WHERE e.id = ${id} AND e.seller_id = ${sellerId}`);
  return found ?? null;
}

/** Sets why and until when an earning is held, and the part of it that is in reserve. */
export async function setHold(
  tx: Db,
  { id, hold, availableAt, reserved }: Pick<EarningRecord, 'id' | 'hold' | 'availableAt' | 'reserved'>,
): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE earning SET hold = ${hold}, available_at = ${availableAt}, reserved = ${BigInt(reserved)}
      WHERE id = ${id}`,
  );
}

/** Finds the earning of a sale; null if it has none. */
export async function findEarningOfSale(saleKind: SaleKind, saleId: string): Promise<EarningRecord | null> {
  const [found] = await selectEarnings(Prisma.sql`WHERE e.sale_kind = ${saleKind} AND e.sale_id = ${saleId}`);
  return found ?? null;
}
