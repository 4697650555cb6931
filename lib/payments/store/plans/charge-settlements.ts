import { row, text } from '../../../platform/db/rows';
import { ACCEPTANCE_REMINDER_MS, NEW_SELLER_MS } from '../../limits';
import type { ChargeReason } from '../../schema-plans';

/** The hold of what a seller earns. */
export interface EarningHold {
  hold: string;
  availableAt: Date;
}

/** The end of a charge. */
export interface ChargeSettlement {
  id: string;
  /** Minor units; 0 releases the whole hold. */
  captured: number;
  /** The platform's part of it. */
  fee: number;
  units: number | null;
  reason: ChargeReason | null;
  transactionId: string;
  earningId: string;
  /** The hold for a new seller, and for any other. */
  holds: { ofNew: EarningHold; ofOthers: EarningHold };
  /** When the result is accepted by itself; null without acceptance terms in the plan of the charge. */
  acceptBy: Date | null;
}

/**
 * Captures and releases the holds of charges that are still authorized, and records what their sellers earn. Rows are
 * locked in the order approvals, then accounts by kind and owner, like postTransaction does.
 */
const settleSql = `
WITH want AS (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $8::text[], $9::text[],
    $10::timestamptz[], $11::text[], $12::timestamptz[], $13::timestamptz[])
    w(id, captured, fee, units, reason, transaction_id, earning_id, new_hold, new_until, hold, until, accept_by)
), settled AS (
  UPDATE task_charge c SET state = CASE WHEN w.captured > 0 THEN 'captured' ELSE 'released' END, captured = w.captured,
    fee = w.fee, units = w.units, reason = w.reason, settled_at = $7,
    key = CASE WHEN w.reason = 'not_started' THEN c.key || ' ' || c.id ELSE c.key END
  FROM want w WHERE c.id = ANY(SELECT l.id FROM task_charge l WHERE l.id = ANY($1) AND l.state = 'authorized' ORDER BY l.id FOR UPDATE)
    AND c.id = w.id
  RETURNING c.id, c.approval_id, c.user_id, c.agent_id, c.currency, c.test, c.authorized, c.captured, c.fee, w.transaction_id,
    w.earning_id, w.new_hold, w.new_until, w.hold, w.until, w.accept_by, c.plan -> 'acceptance' AS terms
), sellers AS MATERIALIZED (
  SELECT a.id AS agent_id, a.owner_id, coalesce((SELECT min(e.captured_at) FROM earning e
    WHERE e.seller_id = a.owner_id AND NOT e.test), 'infinity') > $7::timestamptz - ${NEW_SELLER_MS} * interval '1 ms' AS is_new
  FROM agent a WHERE a.id IN (SELECT agent_id FROM settled WHERE captured > 0)
), sold AS (
  SELECT s.id, s.earning_id, o.owner_id, s.user_id, s.agent_id, s.currency, s.test, s.captured, s.fee, s.accept_by, s.terms,
    CASE WHEN o.is_new THEN s.new_hold ELSE s.hold END AS hold, CASE WHEN o.is_new THEN s.new_until ELSE s.until END AS until
  FROM settled s JOIN sellers o ON o.agent_id = s.agent_id WHERE s.captured > 0
), earned AS (
  INSERT INTO earning (id, sale_kind, sale_id, seller_id, agent_id, currency, test, gross, fee, captured_at, hold, available_at)
  SELECT s.earning_id, 'charge', s.id, s.owner_id, s.agent_id, s.currency, s.test, s.captured, s.fee, $7,
    CASE WHEN s.accept_by > s.until THEN 'acceptance' ELSE s.hold END, greatest(s.until, s.accept_by) FROM sold s
), acceptances AS (
  INSERT INTO sale_acceptance (sale_kind, sale_id, user_id, seller_id, agent_id, terms, accept_by, prior_hold,
    prior_available_at, email, email_due_at)
  SELECT 'charge', s.id, s.user_id, s.owner_id, s.agent_id, s.terms, s.accept_by, s.hold, s.until, 'reminder',
    s.accept_by - ${ACCEPTANCE_REMINDER_MS} * interval '1 ms'
  FROM sold s WHERE s.accept_by IS NOT NULL AND s.terms IS NOT NULL
), budgets AS (
  SELECT a.id, s.held, s.spent FROM price_approval a JOIN (
    SELECT approval_id, sum(authorized) AS held, sum(captured) AS spent FROM settled GROUP BY approval_id
  ) s ON s.approval_id = a.id ORDER BY a.id FOR UPDATE OF a
), approvals AS (
  UPDATE price_approval a SET held = a.held - b.held, spent = a.spent + b.spent FROM budgets b WHERE a.id = b.id
), moves AS (
  SELECT s.id AS charge_id, s.transaction_id, s.currency, s.test, m.kind, m.owner, m.amount
  FROM settled s CROSS JOIN LATERAL (VALUES ('held', s.user_id, -s.authorized), ('wallet', s.user_id, s.authorized - s.captured),
    ('merchant', s.agent_id, s.captured - s.fee), ('fees', 'parley', s.fee)) m(kind, owner, amount)
  WHERE m.amount <> 0
), accounts AS (
  SELECT l.id, l.kind, l.owner, l.currency, l.test FROM ledger_account l
  WHERE (l.kind, l.owner, l.currency, l.test) IN (SELECT kind, owner, currency, test FROM moves) AND (SELECT count(*) FROM budgets) > 0
  ORDER BY l.kind, l.owner FOR UPDATE
), balances AS (
  UPDATE ledger_account l SET balance = l.balance + d.amount FROM (
    SELECT a.id, sum(m.amount) AS amount FROM moves m
    JOIN accounts a ON (a.kind, a.owner, a.currency, a.test) = (m.kind, m.owner, m.currency, m.test) GROUP BY a.id
  ) d WHERE l.id = d.id
), posted AS (
  INSERT INTO ledger_transaction (id, key, kind, at)
  SELECT s.transaction_id, 'charge:' || s.id || ':settle', CASE WHEN s.captured > 0 THEN 'capture' ELSE 'release' END, $7 FROM settled s
), entries AS (
  INSERT INTO ledger_entry (transaction_id, account_id, amount)
  SELECT m.transaction_id, a.id, m.amount FROM moves m
  JOIN accounts a ON (a.kind, a.owner, a.currency, a.test) = (m.kind, m.owner, m.currency, m.test)
)
SELECT id FROM settled`;

const idRow = row({ id: text() });

/**
 * Settles charges in one statement. The accounts of the agents and of the platform must exist. Returns the ids of those
 * that this call settled; the others were settled before. The seller is the owner of the agent at this time.
 */
export async function settleCharges(settlements: ChargeSettlement[], at: Date): Promise<string[]> {
  const column = <Key extends keyof ChargeSettlement>(key: Key): ChargeSettlement[Key][] =>
    settlements.map((each) => each[key]);
  const values = [
    ...[column('id'), column('captured'), column('fee'), column('units'), column('reason'), column('transactionId')],
    at,
    column('earningId'),
    settlements.map(({ holds }) => holds.ofNew.hold),
    settlements.map(({ holds }) => holds.ofNew.availableAt),
    settlements.map(({ holds }) => holds.ofOthers.hold),
    settlements.map(({ holds }) => holds.ofOthers.availableAt),
    column('acceptBy'),
  ];
  return (await idRow.query('settle-charges', settleSql, values)).map(({ id }) => id);
}
