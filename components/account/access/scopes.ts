import type { useTranslations } from 'next-intl';
import { ACCESS_SCOPES, CONNECTION_SCOPES } from '@/lib/platform/scopes';

export type ConnectionScopeTranslator = ReturnType<typeof useTranslations<'account.connectionScopes'>>;

export type ScopeTranslator = ReturnType<typeof useTranslations<'account.scopes'>>;

/** Returns the label of a scope, or its own name if it is unknown. */
export function scopeLabel(t: ScopeTranslator, id: string): string {
  const known = ACCESS_SCOPES.find((scope) => scope === id);
  return known ? t(`${known}.label`) : id;
}

/** Returns the label of a scope of a connected app, or its own name if it is unknown. */
export function connectionScopeLabel(t: ConnectionScopeTranslator, id: string): string {
  const known = CONNECTION_SCOPES.find((scope) => scope === id);
  return known ? t(`${known}.label`) : id;
}
