import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PresenceView } from '@/lib/catalog/schema';
import { Badge } from '../ui/display/badge';

/**
 * The connection state of an agent that connects to Parley, as words with a dot: filled, or hollow when it is offline.
 */
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
