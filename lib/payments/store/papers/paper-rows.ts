import { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { bool, float8, int4, json, row, text, timestamptz } from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import type { PaperRecord, SaleKind } from '../../record';
import type { BillingRole, PaperContent, PaperKind } from '../../schema-income';

const paperRow = row({
  id: text(),
  transactionId: text(),
  kind: text<PaperKind>(),
  issuer: text(),
  year: int4(),
  test: bool(),
  number: int4(),
  saleKind: text<SaleKind>(),
  saleId: text(),
  sellerId: text(),
  buyerId: text(),
  agentId: text(),
  currency: text(),
  gross: float8(),
  tax: float8(),
  content: json<PaperContent>(),
  issuedAt: timestamptz(),
});

function selectPapers(rest: Prisma.Sql, tx: Db = db()): Promise<PaperRecord[]> {
  return paperRow.queryIn(
    tx,
    Prisma.sql`SELECT p.id, p.transaction_id AS "transactionId", p.kind, p.issuer, p.year, p.test, p.number,
        p.sale_kind AS "saleKind", p.sale_id AS "saleId", p.seller_id AS "sellerId", p.buyer_id AS "buyerId",
        p.agent_id AS "agentId", p.currency, p.gross::float8 AS gross, p.tax::float8 AS tax, p.content,
        p.issued_at AS "issuedAt" FROM paper p ${rest}`,
  );
}

/** Returns the papers of these sales, in the order of their issue. */
export function findPapersOfSales(tx: Db, saleIds: string[]): Promise<PaperRecord[]> {
  return selectPapers(Prisma.sql`WHERE p.sale_id = ANY(${saleIds}) ORDER BY p.issued_at, p.number, p.id`, tx);
}

const transactionRow = row({ id: text() });

/** Returns those of these ledger transactions that have a paper. */
export async function findDocumented(tx: Db, transactionIds: string[]): Promise<Set<string>> {
  const rows = await transactionRow.queryIn(
    tx,
    Prisma.sql`SELECT transaction_id AS id FROM paper WHERE transaction_id = ANY(${transactionIds})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** A series of numbers without gaps. */
export type PaperSeries = Pick<PaperRecord, 'issuer' | 'year' | 'test' | 'kind'>;

const lastRow = row({ last: int4() });

/**
 * Takes the next numbers of a series, and returns the first. The series is locked until the transaction ends; if it is
 * rolled back, the numbers are free again.
 */
export async function takeNumbers(tx: Db, { issuer, year, test, kind }: PaperSeries, count: number): Promise<number> {
  const [counter] = await lastRow.queryIn(
    tx,
    Prisma.sql`INSERT INTO paper_counter AS c (issuer, year, test, kind, last)
      VALUES (${issuer}, ${year}, ${test}, ${kind}, ${count})
      ON CONFLICT (issuer, year, test, kind) DO UPDATE SET last = c.last + ${count} RETURNING last`,
  );
  if (!counter) throw new Error('the series has no counter');
  return counter.last - count + 1;
}

/** Stores papers. */
export async function insertPapers(tx: Db, papers: PaperRecord[]): Promise<void> {
  const values = papers.map(
    (paper) =>
      Prisma.sql`(${paper.id}, ${paper.transactionId}, ${paper.kind}, ${paper.issuer}, ${paper.year}, ${paper.test},
        ${paper.number}, ${paper.saleKind}, ${paper.saleId}, ${paper.sellerId}, ${paper.buyerId}, ${paper.agentId},
        ${paper.currency}, ${BigInt(paper.gross)}, ${BigInt(paper.tax)}, ${JSON.stringify(paper.content)}::jsonb,
        ${paper.issuedAt})`,
  );
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO paper (id, transaction_id, kind, issuer, year, test, number, sale_kind, sale_id, seller_id,
        buyer_id, agent_id, currency, gross, tax, content, issued_at) VALUES ${Prisma.join(values)}`,
  );
}

/** Returns the condition of papers `p` in which the user has this part. */
function ofUser(userId: string, role: BillingRole): Prisma.Sql {
  return role === 'buyer' ? Prisma.sql`p.buyer_id = ${userId}` : Prisma.sql`p.seller_id = ${userId}`;
}

/** Finds a paper in which the user has one of these parts, otherwise null. */
export async function findPaper(userId: string, roles: BillingRole[], id: string): Promise<PaperRecord | null> {
  if (!/^ppr_[0-9a-z]{1,30}$/.test(id) || roles.length === 0) return null;
  const parts = Prisma.join(
    roles.map((role) => ofUser(userId, role)),
    ' OR ',
  );
  const [found] = await selectPapers(Prisma.sql`WHERE p.id = ${id} AND (${parts})`);
  return found ?? null;
}

/** The papers of a page. */
interface PaperQuery {
  role: BillingRole;
  saleId: string | undefined;
  before: { issuedAt: Date; id: string } | null;
  limit: number;
}

/** Returns the papers in which the user has a part, newest first. */
export function findPapers(userId: string, { role, saleId, before, limit }: PaperQuery): Promise<PaperRecord[]> {
  const where = [
    ofUser(userId, role),
    ...(saleId === undefined ? [] : [Prisma.sql`p.sale_id = ${saleId}`]),
    ...(before ? [Prisma.sql`(p.issued_at, p.id) < (${before.issuedAt}, ${before.id})`] : []),
  ];
  return selectPapers(
    Prisma.sql`WHERE ${Prisma.join(where, ' AND ')} ORDER BY p.issued_at DESC, p.id DESC LIMIT ${limit}`,
  );
}

/** Replaces a buyer's id by a pseudonym. Papers must be kept, with the details that they state. */
export async function anonymizePapers(tx: Db, userId: string, pseudonym: string): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE paper SET buyer_id = ${pseudonym} WHERE buyer_id = ${userId}`);
}
