import type { ReactNode } from 'react';
import type { AgentDetail, CardVersionView } from '@/lib/catalog/schema';
import type { ListedAgentView, StandingView } from '@/lib/discovery/schema';
import { AgentFacts } from './agent-facts';
import { AgentHeader } from './agent-header';
import { AgentNotice } from './agent-notice';
import { CallIt } from './call-it';
import { CardHistory } from './card-history';
import { CardSource } from './card-source';
import { Reliability } from './reliability';
import { ReportLink } from './report-link';
import { type AgentReviews, ReviewSection } from './reviews/review-section';
import { ScoreParts } from './score-parts';
import { Section } from './section';
import { SimilarAgents } from './similar-agents';
import { SkillList } from './skill-list';
import { TryIt } from './try/try-it';
import { WhatItSees } from './what-it-sees';

export interface AgentViewProps {
  agent: AgentDetail;
  /** Fresh UUIDs, one for each message of the curl lines. */
  messageIds: [string, string];
  reviews: AgentReviews;
  versions: CardVersionView[];
  standing: StandingView;
  similar: ListedAgentView[];
  /** The decision that keeps the agent down, for its owner. */
  caseId: string | null;
  signedIn: boolean;
  /** The person comes back from signing in to send what they wrote. */
  resume: boolean;
}

const sections = [
  { id: 'overview', text: 'Overview' },
  { id: 'try', text: 'Try it' },
  { id: 'skills', text: 'Skills' },
  { id: 'reliability', text: 'Reliability' },
  { id: 'reviews', text: 'Reviews' },
  { id: 'ranking', text: 'Ranking' },
  { id: 'sees', text: 'What it may see' },
  { id: 'call', text: 'Call it' },
  { id: 'card', text: 'Card' },
];

/** The agent page. One page with sections instead of tabs: everything can be searched, linked and printed. */
export function AgentView({
  agent,
  messageIds,
  reviews,
  versions,
  standing,
  similar,
  caseId,
  ...visit
}: AgentViewProps): ReactNode {
  const callable = agent.status === 'active' || agent.status === 'deprecated';
  return (
    <div className="page-x py-6 lg:py-8">
      <AgentHeader agent={agent} caseId={caseId} signedIn={visit.signedIn} standing={standing} />
      {agent.notice ? <AgentNotice notice={agent.notice} /> : null}
      <SectionLinks callable={callable} />
      <div className="grid grid-cols-1 gap-x-14 gap-y-10 lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="min-w-0 space-y-12">
          <section aria-labelledby="overview-title" className="scroll-mt-32" id="overview">
            <h2 className="sr-only" id="overview-title">
              Overview
            </h2>
            <p className="max-w-prose text-lg whitespace-pre-line" dir="auto">
              {agent.description}
            </p>
            <aside aria-label="Facts" className="mt-8 lg:hidden">
              <AgentFacts agent={agent} />
            </aside>
          </section>
          {callable ? (
            <Section id="try" lead="Ask it here; the answer comes below." title="Try it">
              <TryIt agent={{ slug: agent.slug, name: agent.name }} {...visit} />
            </Section>
          ) : null}
          <Section id="skills" title="Skills">
            <SkillList agent={agent} />
          </Section>
          <Section
            id="reliability"
            lead="What Parley’s own checks find, and how people fare with it."
            title="Reliability"
          >
            <Reliability standing={standing} />
          </Section>
          <Section id="reviews" lead="By people who have used it." title="Reviews">
            <ReviewSection publisher={agent.publisher.name} reviews={reviews} slug={agent.slug} />
          </Section>
          <Section id="ranking" title="Why it ranks here">
            <ScoreParts standing={standing} />
          </Section>
          <Section
            id="sees"
            lead="What Parley hands over when you talk to it, and what it does not."
            title="What it may see"
          >
            <WhatItSees agent={agent} />
          </Section>
          <Section id="call" lead="From a terminal or a program, with your own account." title="Call it">
            <CallIt agent={agent} messageIds={messageIds} />
          </Section>
          <Section id="card" title="Card">
            <CardSource agent={agent} />
            <h3 className="mt-8 mb-3 font-semibold">History</h3>
            <CardHistory versions={versions} />
          </Section>
          {similar.length > 0 ? (
            <Section id="similar" title="Similar agents">
              <SimilarAgents agents={similar} />
            </Section>
          ) : null}
          <p className="border-t border-line pt-6 text-sm text-muted">
            Is something wrong with this agent? <ReportLink id={agent.slug} kind="agent" />
          </p>
        </div>
        <aside aria-label="Facts" className="hidden lg:block">
          <div className="sticky top-32">
            <AgentFacts agent={agent} />
          </div>
        </aside>
      </div>
    </div>
  );
}

function SectionLinks({ callable }: { callable: boolean }): ReactNode {
  return (
    <nav
      aria-label="On this page"
      className="sticky top-(--header-height) z-20 my-6 overflow-x-auto border-b border-line bg-canvas"
    >
      <ul className="-ms-2.5 flex gap-1">
        {sections
          .filter(({ id }) => callable || id !== 'try')
          .map(({ id, text }) => (
            <li className="shrink-0" key={id}>
              <a
                className="inline-flex min-h-11 items-center border-b-2 border-transparent px-2.5 text-sm font-medium text-muted -outline-offset-2 hover:border-line-strong hover:text-ink"
                href={`#${id}`}
              >
                {text}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
