import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { AgentFacts } from './agent-facts';
import { AgentHeader } from './agent-header';
import { AgentNotice } from './agent-notice';
import { CallIt } from './call-it';
import { CardSource } from './card-source';
import { Section } from './section';
import { SkillList } from './skill-list';
import { WhatItSees } from './what-it-sees';

export interface AgentViewProps {
  agent: AgentDetail;
  /** Fresh UUIDs, one for each message of the curl lines. */
  messageIds: [string, string];
}

const sections = [
  { id: 'overview', text: 'Overview' },
  { id: 'skills', text: 'Skills' },
  { id: 'sees', text: 'What it may see' },
  { id: 'call', text: 'Call it' },
  { id: 'card', text: 'Card' },
];

/** The agent page. One page with sections instead of tabs: everything can be searched, linked and printed. */
export function AgentView({ agent, messageIds }: AgentViewProps): ReactNode {
  return (
    <div className="page-x py-6 lg:py-8">
      <AgentHeader agent={agent} />
      {agent.notice ? <AgentNotice notice={agent.notice} /> : null}
      <SectionLinks />
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
          <Section id="skills" title="Skills">
            <SkillList agent={agent} />
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
          </Section>
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

function SectionLinks(): ReactNode {
  return (
    <nav
      aria-label="On this page"
      className="sticky top-(--header-height) z-20 my-6 overflow-x-auto border-b border-line bg-canvas"
    >
      <ul className="-ml-2.5 flex gap-1">
        {sections.map(({ id, text }) => (
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
