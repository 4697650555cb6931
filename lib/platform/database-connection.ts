import { randomBytes } from 'node:crypto';
import type { ClientConfig } from 'pg';
import {
  acquireTimeoutMs,
  idleInTransactionTimeoutMs,
  keepAliveDelayMs,
  lockTimeoutMs,
  serverKeepAliveOptions,
  statementTimeoutMs,
} from './database-limits';
import { env } from './env';
import { processSingleton } from './singleton';

/** The name under which PostgreSQL lists the connections of this process, and of no other. */
export function applicationName(): string {
  return processSingleton('database-application', () => `parley-${process.pid}-${randomBytes(4).toString('hex')}`);
}

/**
 * What every connection to the database is opened with: deadlines on the server's side for statements, locks and abandoned
 * transactions, TCP keepalive on both sides, and a limit on the time to connect.
 */
export function connectionSettings(): ClientConfig {
  return {
    connectionString: env().DATABASE_URL,
    connectionTimeoutMillis: acquireTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    options: serverKeepAliveOptions,
    application_name: applicationName(),
  };
}
