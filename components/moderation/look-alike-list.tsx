import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Lookalike } from '@/lib/catalog/schema';
import { agentPath, reportPath } from '../routes';
import { Card } from '../ui/display/card';

export interface LookAlikeListProps {
  items: { slug: string; name: string; original: Lookalike }[];
}

/** Listings that could be confused with another user's verified agent. They appear without a report. */
export function LookAlikeList({ items }: LookAlikeListProps): ReactNode {
  const t = useTranslations('moderation.lookAlikeList');
  return (
    <section aria-labelledby="look-alikes" className="mt-12">
      <h2 className="text-xl font-semibold" id="look-alikes">
        {t('title')}
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-muted">{t('lead')}</p>
      <Card>
        <ul className="divide-y divide-line text-sm">
          {items.map(({ slug, name, original }) => (
            <li className="flex flex-wrap items-center gap-x-4 gap-y-1 p-4 sm:px-5" key={slug}>
              <Link className="text-link font-medium" href={agentPath(slug)} prefetch={false}>
                <bdi>{name}</bdi>
              </Link>
              <span className="text-muted">
                {t.rich('looksLike', {
                  original: () => (
                    <Link className="text-link" href={agentPath(original.slug)} prefetch={false}>
                      <bdi>{original.name}</bdi>
                    </Link>
                  ),
                })}
              </span>
              <Link className="text-link ms-auto" href={reportPath('agent', slug)} prefetch={false}>
                {t('openCase')}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
