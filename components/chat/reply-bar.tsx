'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button';

export interface ReplyBarProps {
  agentName: string;
  kind: 'asks' | 'needs-auth';
  onDecline: () => void;
  /** Called to write a message that is not an answer. */
  onDismiss: () => void;
}

/** States that the composer answers a question, with a way out. Shown above the field. */
export function ReplyBar({ agentName, kind, onDecline, onDismiss }: ReplyBarProps): ReactNode {
  const t = useTranslations('chat.answerBar');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-xl border-b border-line bg-accent-soft px-4 py-2 text-sm max-sm:pt-3">
      <p className="min-w-48 flex-1">
        {t.rich(kind, {
          agent: () => <bdi className="font-medium">{agentName}</bdi>,
        })}
      </p>
      <div className="-mx-3 flex flex-wrap gap-1">
        <Button onClick={onDismiss} size="sm" tone="quiet">
          {t('leave')}
        </Button>
        <Button onClick={onDecline} size="sm" tone="quiet">
          {t('decline')}
        </Button>
      </div>
    </div>
  );
}
