import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ExternalIcon } from './display/icons';

export interface ExternalLinkProps {
  /** A URL from a third party. */
  href: string;
  /** Text instead of the host. */
  children?: ReactNode;
}

/** A third-party link out of Parley: http and https only, host visible, `nofollow ugc`. Any other URL is plain text. */
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
