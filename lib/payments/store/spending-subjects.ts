import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { nullable, row, text } from '../../platform/db/rows';
import type { SpendingScope } from '../schema-spending';
import type { SpendingKey } from './spending-limits';

const nameRow = row({ name: text() });

/** True for a name that the database supports, because the database computes the days and months. */
export async function isTimeZone(name: string): Promise<boolean> {
  const found = await nameRow.queryIn(db(), Prisma.sql`SELECT name FROM pg_timezone_names WHERE name = ${name}`);
  return found.length > 0;
}

type Subject = Pick<SpendingKey, 'scope' | 'subject'>;

/** True for a suspended account, whose credentials have all ended. */
export async function isSuspended(tx: Db, userId: string): Promise<boolean> {
  const found = await nameRow.queryIn(
    tx,
    Prisma.sql`SELECT id AS name FROM "user" WHERE id = ${userId} AND suspended_at IS NOT NULL`,
  );
  return found.length > 0;
}

/** The agents that made the user offers, latest first. */
export async function findSellers(userId: string, limit: number): Promise<string[]> {
  const rows = await nameRow.queryIn(
    db(),
    Prisma.sql`SELECT agent_id AS name FROM payment_order WHERE user_id = ${userId} AND state <> 'rejected'
      GROUP BY agent_id ORDER BY max(created_at) DESC LIMIT ${limit}`,
  );
  return rows.map(({ name }) => name);
}

const orderRow = row({ currency: text(), scope: nullable(text<SpendingScope>()), subject: nullable(text()) });

/** The currencies, chains, connected apps and access tokens of the user's latest offers. */
export async function findOfferSubjects(
  userId: string,
  limit: number,
): Promise<{ currencies: string[]; subjects: Subject[] }> {
  const rows = await orderRow.queryIn(
    db(),
    Prisma.sql`SELECT DISTINCT o.currency, s.scope, s.subject FROM (
        SELECT task_id, currency FROM payment_order WHERE user_id = ${userId} AND state <> 'rejected' AND currency <> ''
        ORDER BY created_at DESC, id LIMIT ${limit}
      ) o LEFT JOIN task t ON t.id = o.task_id LEFT JOIN access_token a ON a.id = t.credential_id
      LEFT JOIN chain_task c ON c.task_id = o.task_id
      LEFT JOIN LATERAL (VALUES ('chain', c.root_task_id::text), ('connection', a.connection_id), ('token', a.id))
        AS s(scope, subject) ON s.subject IS NOT NULL`,
  );
  return {
    currencies: [...new Set(rows.map(({ currency }) => currency))],
    subjects: rows.flatMap(({ scope, subject }) => (scope && subject ? [{ scope, subject }] : [])),
  };
}

/** The active access tokens with which the user can pay. */
export async function findPayingTokens(userId: string, now: Date): Promise<string[]> {
  const rows = await nameRow.queryIn(
    db(),
    Prisma.sql`SELECT id AS name FROM access_token WHERE user_id = ${userId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now}) AND 'pay' = ANY(scopes) ORDER BY created_at DESC, id`,
  );
  return rows.map(({ name }) => name);
}

/**
 * The name of the subject that a limit of the user covers: an agent, or an access token, connected app or chain of the
 * user. Null when there is none; empty for the account and chains.
 */
export async function findSubjectName(
  userId: string,
  { scope, subject }: Subject,
  tx: Db = db(),
): Promise<string | null> {
  if (scope === 'account') return subject === '' ? '' : null;
  const sources: Record<Exclude<SpendingScope, 'account'>, Prisma.Sql> = {
    agent: Prisma.sql`SELECT name FROM agent WHERE id = ${subject}`,
    token: Prisma.sql`SELECT name FROM access_token WHERE id = ${subject} AND user_id = ${userId}`,
    connection: Prisma.sql`SELECT client_name AS name FROM connection WHERE id = ${subject} AND user_id = ${userId}`,
    chain: Prisma.sql`SELECT '' AS name FROM chain WHERE root_task_id::text = ${subject} AND principal = ${userId}`,
  };
  const [found] = await nameRow.queryIn(tx, sources[scope]);
  return found?.name ?? null;
}
