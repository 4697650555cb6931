import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import { acquireMs, idleInTransactionMs, keepAliveMs, lockMs, serverKeepAlive, statementMs } from './database-limits';
import { env } from './env';
import { shared } from './registry';

/** The name under which PostgreSQL lists the connections of this process, and of no other. */
export function applicationName(): string {
  return shared('database-application', () => `parley-${process.pid}-${randomBytes(4).toString('hex')}`);
}

/**
 * What every connection to the database is opened with: deadlines on the server's side for statements, locks and abandoned
 * transactions, TCP keepalive on both sides, and a limit on the time to connect.
 */
export function connectionSettings(): ClientConfig {
  return {
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: acquireMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    options: serverKeepAlive,
    application_name: applicationName(),
  };
}
