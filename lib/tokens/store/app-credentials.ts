import { type AuditEntry, auditJson } from '../../observability';
import { notifyPayload, publishLocally } from '../../platform/bus';
import { nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';

/** An app as an OAuth client, with the secrets that authenticate it. */
export interface ClientRecord {
  appId: string;
  name: string;
  redirectUris: string[];
  secrets: { id: string; hash: string }[];
}

const secretRow = row({
  appId: text(),
  name: text(),
  redirectUris: textArray(),
  id: nullable(text()),
  hash: nullable(text()),
});

export async function findClient(clientId: string): Promise<ClientRecord | null> {
  const rows = await secretRow.query(
    'tokens-client',
    `SELECT app.id AS "appId", app.name, app.redirect_uris AS "redirectUris", secret.id, secret.secret_hash AS hash
     FROM app LEFT JOIN app_secret secret ON secret.app_id = app.id WHERE app.client_id = $1`,
    [clientId],
  );
  const [first] = rows;
  if (!first) return null;
  const secrets = rows.flatMap(({ id, hash }) => (id === null || hash === null ? [] : [{ id, hash }]));
  const { appId, name, redirectUris } = first;
  return { appId, name, redirectUris, secrets };
}

const appCredentialRow = row({
  appId: text(),
  ownerId: text(),
  clientId: text(),
  /** The expiry of the secret; null if it has none, and for the app itself. */
  expiresAt: nullable(timestamptz()),
});

/** An app found by one of its secrets, or by its own id. */
export type AppCredentialRecord = RowOf<typeof appCredentialRow>;

export async function findAppCredential(id: string): Promise<AppCredentialRecord | null> {
  const text = id.startsWith('sec_')
    ? `SELECT app.id AS "appId", app.owner_id AS "ownerId", app.client_id AS "clientId", secret.expires_at AS "expiresAt"
       FROM app_secret secret JOIN app ON app.id = secret.app_id WHERE secret.id = $1`
    : `SELECT id AS "appId", owner_id AS "ownerId", client_id AS "clientId", NULL::timestamptz AS "expiresAt" FROM app WHERE id = $1`;
  const name = id.startsWith('sec_') ? 'tokens-secret-credential' : 'tokens-app-credential';
  return appCredentialRow.queryFirst(name, text, [id]);
}

const clientRow = row({ clientId: text() });

/** Deletes a secret of the owner's app and notifies every node in the same statement. Returns true if it existed. */
export async function deleteSecret(
  secret: { id: string; appId: string; ownerId: string },
  audit: AuditEntry,
): Promise<boolean> {
  const rows = await clientRow.query(
    'tokens-delete-secret',
    `WITH removed AS (
       DELETE FROM app_secret secret USING app
       WHERE secret.id = $1 AND secret.app_id = $2 AND app.id = secret.app_id AND app.owner_id = $3
       RETURNING app.client_id)
     SELECT client_id AS "clientId", pg_notify('parley', $4 || client_id) AS _app, pg_notify('parley', $5) AS _secret,
            audit_append($6::jsonb) AS _audit
     FROM removed`,
    [
      secret.id,
      secret.appId,
      secret.ownerId,
      notifyPayload('app', ''),
      notifyPayload('credential', secret.id),
      auditJson(audit),
    ],
  );
  for (const { clientId } of rows) publishLocally('app', clientId);
  publishLocally('credential', secret.id);
  return rows.length === 1;
}

export async function touchSecret(id: string, now: Date): Promise<void> {
  await execute('tokens-touch-secret', 'UPDATE app_secret SET last_used_at = $2 WHERE id = $1', [id, now]);
}
