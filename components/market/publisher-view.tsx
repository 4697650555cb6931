import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PublisherPage } from '@/lib/catalog/schema-publishers';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { EmptyState } from '../ui/empty-state';
import { ExternalLink } from '../ui/external-link';
import { ShieldIcon } from '../ui/icons';
import { useFormat } from '../ui/use-format';
import { AgentCard } from './agent-card';

/** A publisher, their verified domains, and their public listings. */
export function PublisherView({ publisher }: { publisher: PublisherPage }): ReactNode {
  const t = useTranslations('market.publisherView');
  const format = useFormat();
  const { name, handle, bio, link, joinedAt, hosts, agents } = publisher;
  return (
    <div className="page-x py-8 lg:py-12">
      <header className="flex flex-wrap items-start gap-5">
        <Avatar className="rounded-full" name={name} seed={handle} size={72} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-3xl font-semibold" dir="auto">
            {name}
          </h1>
          <p className="mt-1 text-sm text-muted">
            <span className="font-mono">{handle}</span>
            <span aria-hidden="true"> · </span>
            {t.rich('since', { date: () => <time dateTime={joinedAt}>{format.date(joinedAt)}</time> })}
          </p>
          {bio ? (
            <p className="mt-4 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
              {bio}
            </p>
          ) : null}
          {link ? (
            <p className="mt-3 text-sm">
              <ExternalLink href={link} />
            </p>
          ) : null}
          {hosts.length > 0 ? (
            <ul aria-label={t('hosts')} className="mt-4 flex flex-wrap gap-1.5">
              {hosts.map((host) => (
                <li key={host} title={t('hostProved')}>
                  <Badge icon={<ShieldIcon className="text-accent" size={14} />}>{host}</Badge>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      </header>
      <h2 className="mt-10 mb-4 text-xl font-semibold">
        {t('agents', { count: agents.length, number: format.number(agents.length) })}
      </h2>
      {agents.length === 0 ? (
        <EmptyState level={3} title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {agents.map((agent) => (
            <li key={agent.slug}>
              <AgentCard agent={agent} level={3} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
