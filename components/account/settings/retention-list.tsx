import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Retention, RetentionKind } from '../../../lib/platform/schema-retention';
import { ConsoleSection } from '../../ui/display/card';

/** The retention time of each kind of data in this deployment. */
export function RetentionList({ retention }: { retention: Retention }): ReactNode {
  const t = useTranslations('account.retentionList');
  return (
    <ConsoleSection id="retention" lead={t('lead')} title={t('title')}>
      <dl className="max-w-2xl divide-y divide-line border-y border-line text-sm">
        {shownKinds.map((kind) => (
          <div className="flex flex-wrap justify-between gap-x-6 py-2" key={kind}>
            <dt>{t(`kinds.${kind}`)}</dt>
            <dd className="text-muted">
              {retention[kind] === null ? t('unlimited') : t('days', { days: retention[kind] })}
            </dd>
          </div>
        ))}
      </dl>
    </ConsoleSection>
  );
}

const shownKinds: RetentionKind[] = [
  'chat',
  'deleted',
  'tasks',
  'http',
  'webhooks',
  'sends',
  'transcripts',
  'calls',
  'figures',
];
