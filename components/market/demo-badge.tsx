import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Badge } from '../ui/display/badge';

/** Marks reviews and figures that the demo has made up. */
export function DemoBadge(): ReactNode {
  const t = useTranslations('market.demoBadge');
  return (
    <span title={t('means')}>
      <Badge>{t('name')}</Badge>
    </span>
  );
}
