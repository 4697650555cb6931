import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentDetail, isCallable, type PresenceView } from '@/lib/catalog/schema';
import type { CardVersionView } from '@/lib/catalog/schema-cards';
import type { AgentRanking, ListedAgentView } from '@/lib/discovery/schema-rankings';
import { AgentFacts } from './agent-facts';
import { AgentHeader } from './agent-header';
import { AgentNotice } from './agent-notice';
import { CallIt } from './call-it';
import { CardHistory } from './card-history';
import { CardSource } from './card-source';
import { DataDisclosure } from './data-disclosure';
import { Reliability } from './reliability';
import { ReportLink } from './report-link';
import { type AgentReviews, ReviewSection } from './reviews/review-section';
import { ScoreParts } from './score-parts';
import { Section } from './section';
import { SimilarAgents } from './similar-agents';
import { SkillList } from './skill-list';
import { TryIt } from './try/try-it';

export interface AgentViewProps {
  agent: AgentDetail;
  /** Fresh UUIDs, one per message of the curl commands. */
  messageIds: [string, string];
  reviews: AgentReviews;
  versions: CardVersionView[];
  standing: AgentRanking;
  /** Null for an agent with an address of its own. */
  presence: PresenceView | null;
  similar: ListedAgentView[];
  /** The moderation case that took the agent down, for its owner. */
  caseId: string | null;
  signedIn: boolean;
  /** The user returns from sign-in: the pending message is sent. */
  resume: boolean;
}

const sections = ['overview', 'try', 'skills', 'reliability', 'reviews', 'ranking', 'sees', 'call', 'card'] as const;

/** The agent page. Sections instead of tabs: everything can be searched, linked and printed. */
export function AgentView({
  agent,
  messageIds,
  reviews,
  versions,
  standing,
  presence,
  similar,
  caseId,
  ...visit
}: AgentViewProps): ReactNode {
  const t = useTranslations('market.agentView');
  const callable = isCallable(agent.status);
  return (
    <div className="page-x py-6 lg:py-8">
      <AgentHeader agent={agent} caseId={caseId} presence={presence} signedIn={visit.signedIn} standing={standing} />
      {agent.notice ? <AgentNotice notice={agent.notice} /> : null}
      <SectionLinks callable={callable} />
      <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="min-w-0 space-y-12">
          <section aria-labelledby="overview-title" className="scroll-mt-32" id="overview">
            <h2 className="sr-only" id="overview-title">
              {t('sections.overview')}
            </h2>
            <p className="max-w-prose text-lg whitespace-pre-line" dir="auto">
              {agent.description}
            </p>
            <aside aria-label={t('facts')} className="mt-8 lg:hidden">
              <AgentFacts agent={agent} />
            </aside>
          </section>
          {callable ? (
            <Section id="try" lead={t('leads.try')} title={t('sections.try')}>
              <TryIt agent={{ slug: agent.slug, name: agent.name }} {...visit} />
            </Section>
          ) : null}
          <Section id="skills" title={t('sections.skills')}>
            <SkillList agent={agent} />
          </Section>
          <Section id="reliability" lead={t('leads.reliability')} title={t('sections.reliability')}>
            <Reliability standing={standing} />
          </Section>
          <Section id="reviews" lead={t('leads.reviews')} title={t('sections.reviews')}>
            <ReviewSection publisher={agent.publisher.name} reviews={reviews} slug={agent.slug} />
          </Section>
          <Section id="ranking" title={t('whyHere')}>
            <ScoreParts standing={standing} />
          </Section>
          <Section id="sees" lead={t('leads.sees')} title={t('sections.sees')}>
            <DataDisclosure agent={agent} />
          </Section>
          <Section id="call" lead={t('leads.call')} title={t('sections.call')}>
            <CallIt agent={agent} messageIds={messageIds} />
          </Section>
          <Section id="card" title={t('sections.card')}>
            <CardSource agent={agent} />
            <h3 className="mt-8 mb-3 font-semibold">{t('history')}</h3>
            <CardHistory versions={versions} />
          </Section>
          {similar.length > 0 ? (
            <Section id="similar" title={t('similar')}>
              <SimilarAgents agents={similar} slug={agent.slug} />
            </Section>
          ) : null}
          <p className="border-t border-line pt-6 text-sm text-muted">
            {t('wrong')} <ReportLink id={agent.slug} kind="agent" />
          </p>
        </div>
        <aside aria-label={t('facts')} className="hidden lg:block">
          <div className="sticky top-32">
            <AgentFacts agent={agent} />
          </div>
        </aside>
      </div>
    </div>
  );
}

function SectionLinks({ callable }: { callable: boolean }): ReactNode {
  const t = useTranslations('market.agentView');
  return (
    <nav
      aria-label={t('onThisPage')}
      className="sticky top-(--header-height) z-20 my-6 overflow-x-auto border-b border-line bg-canvas"
    >
      <ul className="-ms-2.5 flex gap-1">
        {sections
          .filter((id) => callable || id !== 'try')
          .map((id) => (
            <li className="shrink-0" key={id}>
              <a
                className="inline-flex min-h-11 items-center border-b-2 border-transparent px-2.5 text-sm font-medium text-muted -outline-offset-2 hover:border-line-strong hover:text-ink"
                href={`#${id}`}
              >
                {t(`sections.${id}`)}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
