import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TargetKind } from '@/lib/moderation/schema';
import { reportPath } from '../routes';

export interface ReportLinkProps {
  kind: TargetKind;
  /** Slug of an agent, id of a review, of an example or of a shared conversation. */
  id: string;
}

/** A discreet link that reports something to the moderators; the same everywhere. */
export function ReportLink({ kind, id }: ReportLinkProps): ReactNode {
  const t = useTranslations('market.reportLink');
  return (
    <Link
      aria-label={t(kind)}
      className="inline-flex min-h-6 items-center text-sm text-muted hover:text-ink hover:underline touch:min-h-11"
      href={reportPath(kind, id)}
      prefetch={false}
      rel="nofollow"
    >
      {t('report')}
    </Link>
  );
}
