import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ExternalIcon } from './icons';

export interface ForeignLinkProps {
  /** An address that somebody else wrote. */
  href: string;
  /** Text in place of the host. */
  children?: ReactNode;
}

/** A link out of Parley that somebody else wrote: http and https only, host in sight, no endorsement. Else plain text. */
export function ForeignLink({ href, children }: ForeignLinkProps): ReactNode {
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
