import type { ReactNode } from 'react';
import type { AgentStatus } from '@/lib/catalog/schema';
import { Badge, type BadgeTone } from '../ui/badge';

const looks: Record<AgentStatus, { text: string; tone: BadgeTone }> = {
  active: { text: 'Active', tone: 'good' },
  deprecated: { text: 'Deprecated', tone: 'warn' },
  suspended: { text: 'Suspended', tone: 'danger' },
  withdrawn: { text: 'Withdrawn', tone: 'neutral' },
};

/** How a listing stands, for its owner: the active ones too. */
export function StatusBadge({ status }: { status: AgentStatus }): ReactNode {
  const { text, tone } = looks[status];
  return <Badge tone={tone}>{text}</Badge>;
}
