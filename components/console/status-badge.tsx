import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentStatus } from '@/lib/catalog/schema';
import { Badge, type BadgeTone } from '../ui/display/badge';

const tones: Record<AgentStatus, BadgeTone> = {
  active: 'good',
  deprecated: 'warn',
  suspended: 'danger',
  withdrawn: 'neutral',
};

/** A listing's status, for its owner: also if it is active. */
export function StatusBadge({ status }: { status: AgentStatus }): ReactNode {
  const t = useTranslations('console.statusBadge');
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
