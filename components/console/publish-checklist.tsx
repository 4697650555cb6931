import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import type { PublishChecklist as Checklist, ChecklistItem } from '@/lib/console/schema-agents';
import { agentCardPath, agentSettingsPath, agentTestPath } from '../routes';
import { Alert } from '../ui/display/alert';
import { Card } from '../ui/display/card';
import { CheckIcon, InfoIcon } from '../ui/display/icons';

/**
 * The requirements of a complete listing, each marked as done automatically, and a note if search excludes the listing.
 */
export function PublishChecklist({ agent, checklist }: { agent: OwnAgent; checklist: Checklist }): ReactNode {
  const { slug, connection } = agent;
  const t = useTranslations('console.publishChecklist');
  const done = checklist.items.filter((item) => item.done).length;
  return (
    <div className="space-y-4">
      <Alert tone={checklist.notInSearch ? 'warn' : 'good'}>
        {checklist.notInSearch ? t(`notInSearch.${checklist.notInSearch}`) : t('inSearch')}
      </Alert>
      <Card className="p-5">
        <p className="mb-3 text-sm text-muted">
          {t.rich(connection === 'hub' ? 'sumOfSent' : 'sum', {
            done: String(done),
            all: String(checklist.items.length),
            read: (chunks) => (
              <Link className="text-link" href={agentCardPath(slug)}>
                {chunks}
              </Link>
            ),
          })}
        </p>
        <ul className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
          {checklist.items.map((item) => (
            <li className="flex gap-2.5" key={item.id}>
              {item.done ? (
                <CheckIcon className="mt-0.5 shrink-0 text-good" size={16} />
              ) : (
                <InfoIcon className="mt-0.5 shrink-0 text-warn" size={16} />
              )}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <span className="sr-only">{t(item.done ? 'done' : 'toDo')} </span>
                {item.done ? t(`items.${item.id}.done`) : <OpenItem item={item} slug={slug} />}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function OpenItem({ slug, item: { id, detail } }: { slug: string; item: ChecklistItem }): ReactNode {
  const t = useTranslations('console.publishChecklist');
  return t.rich(`items.${id}.open`, {
    detail: detail ?? '',
    count: Number(detail),
    isKnown: detail ? 'yes' : 'no',
    ownership: (chunks) => (
      <Link className="text-link" href={`${agentSettingsPath(slug)}#ownership`}>
        {chunks}
      </Link>
    ),
    listing: (chunks) => (
      <Link className="text-link" href={`${agentSettingsPath(slug)}#listing`}>
        {chunks}
      </Link>
    ),
    test: (chunks) => (
      <Link className="text-link" href={agentTestPath(slug)}>
        {chunks}
      </Link>
    ),
  });
}
