import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Lookalike } from '@/lib/catalog/schema';
import { agentPath } from '../../routes';
import { Alert } from '../../ui/display/alert';

/** States that another, verified agent has a very similar name. */
export function LookAlikeNote({ original }: { original: Lookalike }): ReactNode {
  const t = useTranslations('market.lookAlikeNote');
  return (
    <Alert className="mt-5" title={t('title')} tone="warn">
      {t.rich('text', {
        name: original.name,
        original: (chunks) => (
          <Link className="text-link" href={agentPath(original.slug)} prefetch={false}>
            <bdi>{chunks}</bdi>
          </Link>
        ),
      })}
    </Alert>
  );
}
