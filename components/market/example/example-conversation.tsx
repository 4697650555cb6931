import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { AgentExample } from '@/lib/chat/schema-examples';
import { Alert } from '../../ui/display/alert';
import { scrollRegion } from '../../ui/display/scroll-region';
import { withIndex } from '../../ui/display/untrusted-text';
import { AgentIcon } from '../agent-icon';
import { ReportLink } from '../report-link';
import { TalkBubble } from '../talk-bubble';
import { ExampleControls } from './example-controls';
import { ExampleText } from './example-text';

export interface ExampleConversationProps {
  agent: AgentDetail;
  shown: AgentExample;
}

/** A real conversation that the agent's team chose to show. Without one, only the team sees the section. */
export function ExampleConversation({ agent, shown }: ExampleConversationProps): ReactNode {
  const t = useTranslations('market.exampleConversation');
  const { example, mayChoose, isRemoved } = shown;
  if (!example && !mayChoose) return null;
  return (
    <section aria-labelledby="example-title" className="mb-10 scroll-mt-32" id="example">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl font-semibold" id="example-title">
          {t('title')}
        </h2>
        {example ? <ReportLink id={example.id} kind="example" /> : null}
      </div>
      {example ? (
        <>
          <Talk agent={agent} label={t('title')} turns={example.turns} />
          <p className="mt-2 text-sm text-muted">{t('note')}</p>
        </>
      ) : null}
      {isRemoved ? (
        <Alert className="mt-3" title={t('removed')} tone="warn">
          {t('removedHint')}
        </Alert>
      ) : null}
      {mayChoose && !isRemoved ? <ExampleControls hasExample={example !== null} slug={agent.slug} /> : null}
    </section>
  );
}

interface TalkProps {
  agent: AgentDetail;
  label: string;
  turns: NonNullable<AgentExample['example']>['turns'];
}

function Talk({ agent, label, turns }: TalkProps): ReactNode {
  const t = useTranslations('market.exampleConversation');
  return (
    <div className="mt-4 overflow-clip rounded-lg border border-line bg-surface shadow-card">
      <p className="flex items-center gap-2.5 border-b border-line px-4 py-3 text-sm font-semibold">
        <AgentIcon agent={agent} size={24} />
        <bdi className="min-w-0 truncate">{agent.name}</bdi>
      </p>
      <div {...scrollRegion(label)} className="max-h-[28rem] space-y-2.5 overflow-y-auto p-4 text-sm sm:p-5">
        {withIndex(turns).map(({ item: { role, text }, index }) => (
          <TalkBubble from={role} key={index} speaker={t(`speaker.${role}`)}>
            {role === 'agent' ? (
              <ExampleText text={text} />
            ) : (
              <p className="whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
                {text}
              </p>
            )}
          </TalkBubble>
        ))}
      </div>
    </div>
  );
}
