import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { publisherPath } from '../routes';
import { useFormat } from '../ui/display/format';
import { ExternalLink } from '../ui/external-link';
import { MediaModes } from './media-modes';

/** The listing's facts in one column: publisher, versions, dates, input and output. */
export function AgentFacts({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.agentFacts');
  const format = useFormat();
  const { publisher, provider } = agent;
  return (
    <dl className="grid grid-cols-2 gap-x-5 gap-y-4 text-sm sm:grid-cols-3 lg:grid-cols-2">
      <Fact name={t('publisher')}>
        <PublisherName publisher={publisher} />
        <span className="block text-muted">{t('listings', { count: publisher.listings })}</span>
      </Fact>
      {provider ? (
        <Fact name={t('runBy')}>
          <bdi>{provider.organization}</bdi>
          {provider.url ? (
            <span className="block">
              <ExternalLink href={provider.url} />
            </span>
          ) : null}
        </Fact>
      ) : null}
      {agent.connection === 'hub' ? (
        <Fact name={t('connection')}>
          {t('connects')}
          <span className="block text-muted">{t('connectsMeans')}</span>
        </Fact>
      ) : null}
      <Fact name={t('version')}>
        <span className="font-mono text-xs">{agent.version}</span>
      </Fact>
      <Fact name={t('protocol')}>A2A {agent.protocolVersion}</Fact>
      <Fact name={t('accepts')}>
        <MediaModes modes={agent.inputModes} />
      </Fact>
      <Fact name={t('answersWith')}>
        <MediaModes modes={agent.outputModes} />
      </Fact>
      {agent.documentationUrl ? (
        <Fact name={t('documentation')}>
          <ExternalLink href={agent.documentationUrl} />
        </Fact>
      ) : null}
      <Fact name={t('cardUpdated')}>
        <time dateTime={agent.updatedAt}>{format.date(agent.updatedAt)}</time>
      </Fact>
      <Fact name={t('listed')}>
        <time dateTime={agent.createdAt}>{format.date(agent.createdAt)}</time>
      </Fact>
    </dl>
  );
}

function PublisherName({ publisher: { name, handle } }: Pick<AgentDetail, 'publisher'>): ReactNode {
  if (handle === null) return <bdi>{name}</bdi>;
  return (
    <Link className="text-link" href={publisherPath(handle)} prefetch={false}>
      <bdi>{name}</bdi>
    </Link>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}
