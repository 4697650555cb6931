import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PresenceView } from '@/lib/catalog/schema';
import type { Health } from '@/lib/discovery/schema-rankings';
import { Badge, type BadgeTone } from '../../ui/display/badge';

interface HealthBadgeProps {
  health: Health;
  /** True if the agent has been down for so long that it ranks below all others. */
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

/** The tone of each health state. Labels and explanations are in the messages, together with those of probes. */
const healthTones: Record<Health, BadgeTone> = {
  healthy: 'good',
  degraded: 'warn',
  down: 'danger',
  unknown: 'neutral',
};

/** Returns seconds in words: `15 minutes`, `24 hours`, `hour`. */
export function intervalText(seconds: number, t: ReturnType<typeof useTranslations<'market.healthWords'>>): string {
  if (seconds % 3600 === 0) return t('interval.hours', { count: seconds / 3600 });
  if (seconds % 60 === 0) return t('interval.minutes', { count: seconds / 60 });
  return t('interval.seconds', { count: seconds });
}

/** The state of an agent that connects to Parley, as words with a dot, which is hollow when it is offline. */
export function PresenceBadge({ presence: { online } }: { presence: PresenceView }): ReactNode {
  const t = useTranslations('market.presenceBadge');
  const dot = online ? 'bg-current' : 'border border-current';
  return (
    <span title={t(online ? 'onlineMeans' : 'offlineMeans')}>
      <Badge
        icon={<span aria-hidden="true" className={`mx-0.5 size-2 rounded-full ${dot}`} />}
        tone={online ? 'good' : 'neutral'}
      >
        {t(online ? 'online' : 'offline')}
      </Badge>
    </span>
  );
}

/** Marks reviews and figures that the demo has invented. */
export function DemoBadge(): ReactNode {
  const t = useTranslations('market.demoBadge');
  return (
    <span title={t('means')}>
      <Badge>{t('name')}</Badge>
    </span>
  );
}
