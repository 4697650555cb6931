import type { PricePlan } from '../../../catalog/schema-prices';
import { Prisma } from '../../../generated/prisma/client';
import type { Db } from '../../../platform/db/db';
import { bool, int4, int8, json, nullable, type RowOf, row, text, timestamptz } from '../../../platform/db/rows';
import { execute, executeIn } from '../../../platform/db/sql';
import { selectDue } from '../../../platform/runtime/activity';
import type { PaymentPayload, PaymentRequirements } from '../../../protocol/x402/x402-messages';

const paymentRow = row({
  id: text(),
  quoteId: text(),
  authorizationHash: text(),
  principal: text(),
  agentId: text(),
  plan: json<PricePlan>(),
  currency: text(),
  test: bool(),
  amount: int8(),
  network: text(),
  payer: text(),
  requirements: json<PaymentRequirements>(),
  payload: nullable(json<PaymentPayload>()),
  state: text<'verified' | 'settling' | 'settled' | 'failed' | 'unclear'>(),
  attempts: int4(),
  settlement: nullable(text()),
  reason: nullable(text()),
  createdAt: timestamptz(),
});

/** A verified payment by x402. `amount` is in minor units; `payload` is null once the payment has ended. */
export type X402PaymentRecord = RowOf<typeof paymentRow>;

const columns = `id, quote_id AS "quoteId", authorization_hash AS "authorizationHash", principal, agent_id AS "agentId",
  plan, currency, test, amount, network, payer, requirements, payload, state, attempts, settlement, reason,
  created_at AS "createdAt"`;

/** Finds the payment for an answer 402; null if there is none. */
export function findPaymentOfQuote(quoteId: string): Promise<X402PaymentRecord | null> {
  return paymentRow.queryFirst('x402-of-quote', `SELECT ${columns} FROM x402_payment WHERE quote_id = $1`, [quoteId]);
}

/** Finds a payment; null if it is unknown. */
export function findX402Payment(id: string): Promise<X402PaymentRecord | null> {
  return paymentRow.queryFirst('x402-by-id', `SELECT ${columns} FROM x402_payment WHERE id = $1`, [id]);
}

const idRow = row({ id: text() });

type NewPayment = Omit<X402PaymentRecord, 'state' | 'attempts' | 'settlement' | 'reason'>;

/**
 * Stores a verified payment. Returns the payment for the same answer 402 if there is one, and null if its
 * authorization pays for another one.
 */
export async function insertX402Payment(payment: NewPayment): Promise<X402PaymentRecord | null> {
  const { id, quoteId, authorizationHash, principal, agentId, plan, currency, test, amount } = payment;
  const { network, payer, requirements, payload, createdAt } = payment;
  await execute(
    'x402-insert',
    `INSERT INTO x402_payment (id, quote_id, authorization_hash, principal, agent_id, plan, currency, test, amount,
       network, payer, requirements, payload, state, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'verified', $14) ON CONFLICT DO NOTHING`,
    [
      ...[id, quoteId, authorizationHash, principal, agentId, JSON.stringify(plan), currency, test, amount],
      ...[network, payer, JSON.stringify(requirements), JSON.stringify(payload), createdAt],
    ],
  );
  return findPaymentOfQuote(quoteId);
}

/**
 * Lets the caller settle a payment until `leaseUntil`, and counts the attempt before it is made. Returns null if it has
 * ended, or if another request or node settles it.
 */
export function leaseX402Payment(
  id: string,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<X402PaymentRecord | null> {
  return paymentRow.queryFirst(
    'x402-lease',
    `UPDATE x402_payment SET state = 'settling', attempts = attempts + 1, lease_until = $3
     WHERE id = $1 AND (state = 'verified' OR state = 'settling' AND lease_until <= $2) RETURNING ${columns}`,
    [id, now, leaseUntil],
  );
}

/** Ends the lease of an attempt. `arrived` is false if the request cannot have arrived, so that it does not count. */
export async function returnX402Lease(
  { id, attempts }: Pick<X402PaymentRecord, 'id' | 'attempts'>,
  { arrived, retryAt }: { arrived: boolean; retryAt: Date },
): Promise<void> {
  await execute(
    'x402-return',
    `UPDATE x402_payment SET attempts = attempts - $3, lease_until = $4,
       state = CASE WHEN attempts - $3 = 0 THEN 'verified' ELSE 'settling' END
     WHERE id = $1 AND attempts = $2 AND state = 'settling'`,
    [id, attempts, arrived ? 0 : 1, retryAt],
  );
}

/**
 * Marks a payment as settled in the caller's transaction. Returns `ended` if it has ended before, and `reused` if the
 * facilitator's transaction has paid another one.
 */
export async function markX402Settled(
  tx: Db,
  { id, network, settlement, at }: Pick<X402PaymentRecord, 'id' | 'network'> & { settlement: string; at: Date },
): Promise<'settled' | 'ended' | 'reused'> {
  const others = await idRow.queryIn(
    tx,
    Prisma.sql`SELECT id FROM x402_payment WHERE network = ${network} AND settlement = ${settlement} AND id <> ${id}`,
  );
  if (others.length > 0) return 'reused';
  const count = await executeIn(
    tx,
    Prisma.sql`UPDATE x402_payment SET state = 'settled', settlement = ${settlement}, payload = NULL, lease_until = NULL,
        reason = NULL, ended_at = ${at} WHERE id = ${id} AND state IN ('verified', 'settling', 'unclear')`,
  );
  return count > 0 ? 'settled' : 'ended';
}

/**
 * Ends a payment that was not taken (`failed`), or of which nobody knows it (`unclear`). With `attempts`, only while that
 * attempt is the last one. Returns false if nothing was changed.
 */
export async function endX402Payment(
  id: string,
  { state, reason, at, attempts }: { state: 'failed' | 'unclear'; reason: string; at: Date; attempts?: number },
): Promise<boolean> {
  // An operator may need the payload of an unclear payment to look for it at the facilitator.
  const statement = `UPDATE x402_payment SET state = $2, reason = $3, lease_until = NULL, ended_at = $4,
      payload = CASE WHEN $2 = 'failed' THEN NULL ELSE payload END
    WHERE id = $1 AND state IN ('verified', 'settling', 'unclear') AND attempts = coalesce($5, attempts)`;
  return (await execute('x402-end', statement, [id, state, reason, at, attempts ?? null])) > 0;
}

/** Ends the verified payments before a time that nobody settled; their payers were not charged. */
export async function expireX402Payments(before: Date, at: Date): Promise<void> {
  const statement = `UPDATE x402_payment SET state = 'failed', reason = 'expired', payload = NULL, ended_at = $2
    WHERE state = 'verified' AND created_at < $1`;
  await execute('x402-expire', statement, [before, at]);
}

/** Returns the ids of payments whose settlement has no answer, and whose lease has ended. */
export async function findDueSettlements(now: Date, limit: number): Promise<string[]> {
  const statement = `SELECT id FROM x402_payment WHERE state = 'settling' AND lease_until <= $1 ORDER BY lease_until LIMIT $2`;
  return (await idRow.query('x402-due', statement, [now, limit])).map(({ id }) => id);
}

/** Returns the time at which the next settlement without an answer is repeated; null if there is none. */
export function nextX402Settlement(): Promise<Date | null> {
  return selectDue('x402-next', `SELECT min(lease_until) AS due FROM x402_payment WHERE state = 'settling'`);
}
