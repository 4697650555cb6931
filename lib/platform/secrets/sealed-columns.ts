/** A column whose texts are encrypted with KEY_ENCRYPTION_KEY. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key: its columns and their types, in order. */
  key: Record<string, 'text' | 'uuid' | 'int4'>;
}

/** Every encrypted column, by the purpose of its key. {@link SealPurpose} forbids others. */
export const SEALED_COLUMNS = {
  'root-secret': { table: 'root_secret', column: 'sealed', key: { id: 'int4' } },
  'signing-key': { table: 'signing_key', column: 'private_sealed', key: { kid: 'text' } },
  'agent-credential': { table: 'agent_credential', column: 'sealed', key: { agent_id: 'text' } },
  'push-config': { table: 'push_config', column: 'secrets', key: { task_id: 'uuid', id: 'text' } },
} as const satisfies Record<string, SealedColumn>;

/** The purposes of texts that are encrypted in the database. */
export type StoredPurpose = keyof typeof SEALED_COLUMNS;

/** The purposes for which text may be encrypted: the columns above, and texts that clients return within minutes. */
export type SealPurpose = StoredPurpose | 'mcp-request-state';
