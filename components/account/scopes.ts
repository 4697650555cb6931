import type { useTranslations } from 'next-intl';

export type ScopeTranslator = ReturnType<typeof useTranslations<'account.scopes'>>;

/** Scopes of access tokens. */
export const scopes = ['agents:read', 'agents:write', 'handshake', 'pay'] as const;

/** The label of a scope; its own name if it is unknown. */
export function scopeLabel(t: ScopeTranslator, id: string): string {
  const known = scopes.find((scope) => scope === id);
  return known ? t(`${known}.label`) : id;
}
