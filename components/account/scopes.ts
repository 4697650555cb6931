import type { useTranslations } from 'next-intl';

export type ScopeTranslator = ReturnType<typeof useTranslations<'account.scopes'>>;

/** What access tokens may do. */
export const scopes = ['agents:read', 'agents:write', 'handshake', 'pay'] as const;

/** The words for a scope; its own name when it is none of ours. */
export function scopeLabel(t: ScopeTranslator, id: string): string {
  const known = scopes.find((scope) => scope === id);
  return known ? t(`${known}.label`) : id;
}
