import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { ListedAgentView } from '@/lib/discovery/schema-rankings';
import { agentPath, publisherPath } from '../../routes';
import { useFormat } from '../../ui/display/format';
import { comparePath, maxCompared } from '../cards/compare-url';
import { AgentIcon } from '../listing/agent-icon';
import { agentTabPath } from '../listing/agent-tabs';
import { CapabilityBadges, headerCapabilities, MediaModes } from '../listing/capability-badges';
import { ExternalLink, ReportLink } from '../listing/links';
import { PriceText } from '../listing/price-text';
import { RatingValue } from '../listing/stars';

interface AgentRailProps {
  agent: AgentDetail;
  /** The field for trying the agent; null if it cannot be called. */
  tryIt: ReactNode;
  similar: ListedAgentView[];
}

/**
 * The content next to every tab: a field for trying the agent, its facts, its publisher, and similar agents. Below the
 * tab on narrow screens.
 */
export function AgentRail({ agent, tryIt, similar }: AgentRailProps): ReactNode {
  const t = useTranslations('market.agentRail');
  return (
    <div className="min-w-0 space-y-8">
      {tryIt ? (
        <section
          aria-labelledby="try-title"
          className="scroll-mt-32 rounded-lg border border-line bg-surface p-4 shadow-card"
          id="try"
        >
          <h2 className="font-semibold" id="try-title">
            {t('try')}
          </h2>
          <p className="mt-0.5 mb-3 text-sm text-muted">{t('tryLead')}</p>
          {tryIt}
          <p className="mt-3 text-sm">
            <Link className="text-link" href={agentTabPath(agent.slug, 'code', 'apps')} prefetch={false}>
              {t('useInApps')}
            </Link>
          </p>
        </section>
      ) : null}
      <aside aria-label={t('facts')}>
        <AgentFacts agent={agent} />
      </aside>
      {similar.length > 0 ? (
        <section aria-labelledby="similar-title" className="scroll-mt-32 border-t border-line pt-6" id="similar">
          <h2 className="font-semibold" id="similar-title">
            {t('similar')}
          </h2>
          <SimilarAgents agents={similar} slug={agent.slug} />
        </section>
      ) : null}
      <p className="border-t border-line pt-4 text-sm text-muted">
        {t('wrong')} <ReportLink id={agent.slug} kind="agent" />
      </p>
    </div>
  );
}

/** The listing's facts in one column: publisher, ID, versions, dates, input and output, capabilities. */
function AgentFacts({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.agentFacts');
  const format = useFormat();
  const { publisher, provider } = agent;
  const capabilities = agent.badges.filter((badge) => !headerCapabilities.includes(badge));
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
      <Fact name={t('id')}>
        <span className="font-mono text-xs [overflow-wrap:anywhere]">{agent.slug}</span>
      </Fact>
      {capabilities.length > 0 || agent.isOpenToGuests ? (
        <Fact isWide name={t('capabilities')}>
          <span className="flex flex-wrap gap-1.5 pt-0.5">
            <CapabilityBadges capabilities={capabilities} isOpenToGuests={agent.isOpenToGuests} />
          </span>
        </Fact>
      ) : null}
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

function Fact({ name, isWide, children }: { name: string; isWide?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={isWide ? 'col-span-full min-w-0' : 'min-w-0'}>
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

interface SimilarAgentsProps {
  /** The agent that they resemble. */
  slug: string;
  agents: ListedAgentView[];
}

/** Similar agents in a narrow list, and a comparison with the first of them. */
function SimilarAgents({ slug, agents }: SimilarAgentsProps): ReactNode {
  const t = useTranslations('market.similarAgents');
  const compared = [slug, ...agents.map((agent) => agent.slug)].slice(0, maxCompared);
  return (
    <>
      <ul className="mt-2 -mx-2">
        {agents.map((agent) => (
          <li key={agent.slug}>
            <Link
              className="group flex min-h-11 items-center gap-3 rounded-md px-2 py-2 hover:bg-sunken"
              href={agentPath(agent.slug)}
              prefetch={false}
            >
              <AgentIcon agent={agent} size={36} />
              <span className="min-w-0 flex-1">
                <bdi className="block truncate text-sm font-medium group-hover:text-accent">{agent.name}</bdi>
                <span className="flex gap-x-2 text-xs text-muted empty:hidden">
                  {agent.price.kind === 'unstated' ? null : <PriceText price={agent.price} />}
                  {agent.standing.rating ? <RatingValue average={agent.standing.rating.average} /> : null}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">
        <Link
          className="text-link inline-flex min-h-8 items-center touch:min-h-11"
          href={comparePath(compared)}
          prefetch={false}
        >
          {t('compare')}
        </Link>
      </p>
    </>
  );
}
