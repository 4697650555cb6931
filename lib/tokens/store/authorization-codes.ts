import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import type { ConnectionScope } from '../../platform/scopes';
import { AUTHORIZATION_CODE_RETENTION_MS } from '../limits';

const codeRow = row({
  connectionId: text(),
  sessionId: text(),
  redirectUri: text(),
  codeChallenge: text(),
  scopes: textArray<ConnectionScope>(),
  expiresAt: timestamptz(),
});
const issuedCodeRow = row({
  ...codeRow.columns,
  /** The tokens for which it was exchanged. */
  tokenId: nullable(text()),
  userId: text(),
  clientId: text(),
  clientName: text(),
  resource: text(),
});

/** An authorization code with the data of its connection. */
export type IssuedCode = RowOf<typeof issuedCodeRow>;

export interface NewCode extends RowOf<typeof codeRow> {
  codeHash: string;
  createdAt: Date;
}

/** Inserts a code, and deletes those that expired past the retention. */
export async function insertCode(tx: Db, code: NewCode): Promise<void> {
  const before = new Date(code.createdAt.getTime() - AUTHORIZATION_CODE_RETENTION_MS);
  const { codeHash, connectionId, sessionId, redirectUri, codeChallenge, scopes, createdAt, expiresAt } = code;
  await executeIn(tx, Prisma.sql`DELETE FROM authorization_code WHERE expires_at < ${before}`);
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO authorization_code (code_hash, connection_id, session_id, redirect_uri, code_challenge, scopes,
        created_at, expires_at)
      VALUES (${codeHash}, ${connectionId}, ${sessionId}, ${redirectUri}, ${codeChallenge}, ${scopes}, ${createdAt},
        ${expiresAt})`,
  );
}

/** A code that was issued, also when it has expired or was redeemed. */
export async function findCode(codeHash: string): Promise<IssuedCode | null> {
  return issuedCodeRow.queryFirst(
    'tokens-authorization-code',
    `SELECT connection_id AS "connectionId", session_id AS "sessionId", redirect_uri AS "redirectUri",
            code_challenge AS "codeChallenge", code.scopes, expires_at AS "expiresAt", token_id AS "tokenId",
            user_id AS "userId", client_id AS "clientId", client_name AS "clientName", resource
     FROM authorization_code code JOIN connection ON connection.id = connection_id WHERE code_hash = $1`,
    [codeHash],
  );
}

/** Redeems a code for these tokens; of concurrent calls exactly one returns true. */
export async function consumeCode(tx: Db, codeHash: string, tokenId: string): Promise<boolean> {
  const count = await executeIn(
    tx,
    Prisma.sql`UPDATE authorization_code SET token_id = ${tokenId} WHERE code_hash = ${codeHash} AND token_id IS NULL`,
  );
  return count === 1;
}
