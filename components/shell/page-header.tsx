import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ArrowRightIcon } from '../ui/display/icons';

export interface PageHeaderProps {
  title: ReactNode;
  /** One sentence on the purpose of the page. */
  lead?: ReactNode;
  actions?: ReactNode;
  /** Breadcrumbs, outermost first. */
  crumbs?: { href: string; text: string }[];
}

/** The top of a page: breadcrumbs, its only `h1`, and its actions. */
export function PageHeader({ title, lead, actions, crumbs = [] }: PageHeaderProps): ReactNode {
  const t = useTranslations('shell.pageHeader');
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pb-6">
      <div className="min-w-0">
        {crumbs.length > 0 ? (
          <nav aria-label={t('crumbs')} className="mb-1 text-sm text-muted">
            {crumbs.map(({ href, text }, index) => (
              <span key={href}>
                {index > 0 ? <span aria-hidden="true"> / </span> : null}
                <Link
                  className="inline-flex items-center gap-1.5 py-1 hover:text-ink hover:underline touch:min-h-11"
                  href={href}
                >
                  {index === 0 ? <ArrowRightIcon className="rotate-180" size={15} /> : null}
                  {text}
                </Link>
              </span>
            ))}
          </nav>
        ) : null}
        <h1 className="text-2xl font-semibold">{title}</h1>
        {lead ? <p className="mt-1.5 max-w-prose text-muted">{lead}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
