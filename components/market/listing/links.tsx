import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TargetKind } from '@/lib/moderation/schema';
import { reportPath } from '../../routes';
import { ExternalIcon } from '../../ui/display/icons';

interface ExternalLinkProps {
  /** A URL from a third party. */
  href: string;
  /** Text instead of the host. */
  children?: ReactNode;
}

/**
 * A third-party link to another site: http and https only, host visible, `nofollow ugc`. Any other URL is plain text.
 */
export function ExternalLink({ href, children }: ExternalLinkProps): ReactNode {
  const t = useTranslations('ui.foreignLink');
  const url = webUrl(href);
  if (!url) return <span>{children ?? href}</span>;
  return (
    <a className="text-link" href={url.href} rel="noopener nofollow ugc" title={url.href}>
      {children ?? url.host}
      <ExternalIcon className="ms-1 inline align-[-0.1em]" size={13} />
      <span className="sr-only"> {t('leadsTo', { host: url.host })}</span>
    </a>
  );
}

function webUrl(href: string): URL | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

interface ReportLinkProps {
  kind: TargetKind;
  /** Slug of an agent, id of a review, of an example or of a shared conversation. */
  id: string;
}

/** An unobtrusive link that reports content to the moderators, the same everywhere. */
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
