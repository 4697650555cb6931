import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Health } from '@/lib/discovery/schema-rankings';
import { Badge } from '../ui/display/badge';
import { healthTones } from './health-labels';

export interface HealthBadgeProps {
  health: Health;
  /** True if it was down for so long that it ranks below all others. */
  isUnderMaintenance?: boolean;
}

/** An agent's health, as a word with a dot. */
export function HealthBadge({ health, isUnderMaintenance = false }: HealthBadgeProps): ReactNode {
  const t = useTranslations('market.healthWords');
  return (
    <span title={t(`${health}.means`)}>
      <Badge
        icon={<span aria-hidden="true" className="mx-0.5 size-2 rounded-full bg-current" />}
        tone={isUnderMaintenance ? 'warn' : healthTones[health]}
      >
        {t(isUnderMaintenance ? 'underMaintenance' : `${health}.text`)}
      </Badge>
    </span>
  );
}
