import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentDetail, isCallable, type PresenceView } from '@/lib/catalog/schema';
import type { CardVersionView } from '@/lib/catalog/schema-cards';
import type { AgentExample } from '@/lib/chat/schema-shares';
import type { AgentRanking, ListedAgentView } from '@/lib/discovery/schema-rankings';
import type { AgentTab } from '../listing/agent-tabs';
import { CardHistory } from '../listing/card-history';
import { AgentFigures, AgentHeader, AgentNotice } from './agent-header';
import { AgentRail } from './agent-rail';
import { AgentTabLinks, Section, TagLinks } from './agent-sections';
import { AnchorTab } from './anchor-tab';
import { CardSource } from './card-source';
import { CallIt } from './connect/call-it';
import { TryIt } from './connect/try-it';
import { UseInApps } from './connect/use-in-apps';
import { DataDisclosure } from './data-disclosure';
import { ExampleConversation } from './example/example-conversation';
import { Reliability } from './quality/reliability';
import { type AgentReviews, ReviewSection } from './quality/review-section';
import { ScoreParts } from './quality/score-parts';
import { SkillList, SkillSummary } from './skill-list';

export interface AgentViewProps {
  agent: AgentDetail;
  tab: AgentTab;
  example: AgentExample;
  /** Fresh UUIDs, one per message of the curl commands. */
  messageIds: [string, string];
  reviews: AgentReviews;
  versions: CardVersionView[];
  standing: AgentRanking;
  /** Null for an agent with its own URL. */
  presence: PresenceView | null;
  similar: ListedAgentView[];
  /** Id of the moderation case in which the agent was removed, for the owner's appeal; null otherwise. */
  caseId: string | null;
  signedIn: boolean;
  /** True if the user returns from sign-in; the pending message is then sent. */
  resume: boolean;
}

/**
 * The agent page: the key figures at the top, one tab below them, and next to the tab the field for trying the agent
 * and its facts.
 */
export function AgentView(props: AgentViewProps): ReactNode {
  const { agent, tab, reviews, standing, presence, similar, caseId, signedIn, resume } = props;
  return (
    <div className="page-x py-6 lg:py-8">
      <AgentHeader agent={agent} caseId={caseId} presence={presence} signedIn={signedIn} standing={standing} />
      <AgentFigures agent={agent} rating={reviews.page.summary} standing={standing} />
      {agent.notice ? (
        <div className="mt-5">
          <AgentNotice notice={agent.notice} />
        </div>
      ) : null}
      <AgentTabLinks current={tab} reviews={reviews.page.summary.count} slug={agent.slug} />
      <AnchorTab current={tab} slug={agent.slug} />
      <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="min-w-0 scroll-mt-32 space-y-12" id="tab">
          {panels[tab](props)}
        </div>
        <AgentRail
          agent={agent}
          similar={similar}
          tryIt={
            isCallable(agent.status) ? (
              <TryIt
                agent={{ slug: agent.slug, name: agent.name }}
                isOpenToGuests={agent.isOpenToGuests}
                resume={resume}
                signedIn={signedIn}
              />
            ) : null
          }
        />
      </div>
    </div>
  );
}

const panels: Record<AgentTab, (props: AgentViewProps) => ReactNode> = {
  overview: (props) => <Overview {...props} />,
  skills: ({ agent }) => <Skills agent={agent} />,
  reviews: ({ agent, reviews }) => <Reviews agent={agent} reviews={reviews} />,
  code: ({ agent, messageIds }) => <Code agent={agent} messageIds={messageIds} />,
  details: (props) => <Details {...props} />,
};

/** What the agent does: its description, an example with its answer, and its skills. Reliability follows. */
function Overview({ agent, example, standing }: AgentViewProps): ReactNode {
  const t = useTranslations('market.agentView');
  return (
    <>
      <section aria-labelledby="overview-title" className="scroll-mt-32" id="overview">
        <h2 className="mb-2 text-xl font-semibold" id="overview-title">
          {t('about')}
        </h2>
        <p className="max-w-prose whitespace-pre-line" dir="auto">
          {agent.description}
        </p>
        <TagLinks tags={agent.tags} />
      </section>
      <ExampleConversation agent={agent} shown={example} />
      <SkillSummary agent={agent} />
      <Section id="reliability" lead={t('leads.reliability')} title={t('reliability')}>
        <Reliability standing={standing} />
      </Section>
    </>
  );
}

function Skills({ agent }: Pick<AgentViewProps, 'agent'>): ReactNode {
  const t = useTranslations('market.agentView');
  return (
    <Section id="skills" isFirst title={t('skills')}>
      <SkillList agent={agent} />
    </Section>
  );
}

function Reviews({ agent, reviews }: Pick<AgentViewProps, 'agent' | 'reviews'>): ReactNode {
  const t = useTranslations('market.agentView');
  return (
    <Section id="reviews" isFirst lead={t('leads.reviews')} title={t('reviews')}>
      <ReviewSection publisher={agent.publisher.name} reviews={reviews} slug={agent.slug} />
    </Section>
  );
}

function Code({ agent, messageIds }: Pick<AgentViewProps, 'agent' | 'messageIds'>): ReactNode {
  const t = useTranslations('market.agentView');
  const canUse = isCallable(agent.status);
  return (
    <>
      {canUse ? (
        <Section id="apps" isFirst lead={t('leads.apps')} title={t('apps')}>
          <UseInApps agent={agent} />
        </Section>
      ) : null}
      <Section id="call" isFirst={!canUse} lead={t('leads.call')} title={t('call')}>
        <CallIt agent={agent} messageIds={messageIds} />
      </Section>
    </>
  );
}

function Details({ agent, standing, versions }: AgentViewProps): ReactNode {
  const t = useTranslations('market.agentView');
  return (
    <>
      <Section id="sees" isFirst lead={t('leads.sees')} title={t('sees')}>
        <DataDisclosure agent={agent} />
      </Section>
      <Section id="ranking" title={t('score')}>
        <ScoreParts standing={standing} />
      </Section>
      <Section id="card" lead={t('leads.card')} title={t('card')}>
        <CardSource agent={agent} />
        <h3 className="mt-8 mb-3 font-semibold">{t('history')}</h3>
        <CardHistory versions={versions} />
      </Section>
    </>
  );
}
