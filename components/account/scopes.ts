import type { useTranslations } from 'next-intl';
import { ACCESS_SCOPES } from '@/lib/platform/scopes';

export type ScopeTranslator = ReturnType<typeof useTranslations<'account.scopes'>>;

/** The label of a scope; its own name if it is unknown. */
export function scopeLabel(t: ScopeTranslator, id: string): string {
  const known = ACCESS_SCOPES.find((scope) => scope === id);
  return known ? t(`${known}.label`) : id;
}
