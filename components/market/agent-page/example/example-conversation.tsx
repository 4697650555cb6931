import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { AgentExample } from '@/lib/chat/schema-shares';
import { Alert } from '../../../ui/display/alert';
import { scrollRegion } from '../../../ui/display/scroll-region';
import { withIndex } from '../../../ui/display/untrusted-text';
import { AgentIcon } from '../../listing/agent-icon';
import { ReportLink } from '../../listing/links';
import { TalkBubble } from '../../listing/talk-bubble';
import { ExampleControls } from './example-controls';

interface ExampleConversationProps {
  agent: AgentDetail;
  shown: AgentExample;
}

/** A real conversation that the agent's team chose to show. Without one, only the team sees the section. */
export function ExampleConversation({ agent, shown }: ExampleConversationProps): ReactNode {
  const t = useTranslations('market.exampleConversation');
  const { example, mayChoose, isRemoved } = shown;
  if (!example && !mayChoose) return null;
  return (
    <section aria-labelledby="example-title" className="scroll-mt-32" id="example">
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

/**
 * An agent's text with the simplest Markdown: paragraphs, lists, headings, bold, code. All other text, including HTML,
 * links and images, is displayed unchanged. Rendered on the server, so that it needs no JavaScript and causes no layout
 * shift.
 */
export function ExampleText({ text }: { text: string }): ReactNode {
  return (
    <div className="space-y-2 [overflow-wrap:anywhere]" dir="auto">
      {withIndex(blocksOf(text)).map(({ item, index }) => (
        <Block block={item} key={index} />
      ))}
    </div>
  );
}

interface TextBlock {
  kind: 'text' | 'list' | 'code';
  lines: string[];
}

const bullet = /^\s{0,3}(?:[-*•]|\d{1,3}[.)])\s+/;

/** Splits a text at blank lines, lists and code fences. */
function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode;
      isOpen = isCode;
      if (isCode) blocks.push({ kind: 'code', lines: [] });
      continue;
    }
    if (!isCode && line.trim() === '') {
      isOpen = false;
      continue;
    }
    const kind = isCode || line.startsWith('|') ? 'code' : bullet.test(line) ? 'list' : 'text';
    const last = blocks.at(-1);
    if (isOpen && last?.kind === kind) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
    isOpen = true;
  }
  return blocks;
}

function Block({ block: { kind, lines } }: { block: TextBlock }): ReactNode {
  if (kind === 'code') {
    return <pre className="overflow-x-auto font-mono text-xs whitespace-pre-wrap">{lines.join('\n')}</pre>;
  }
  if (kind === 'list') {
    return (
      <ul className="list-disc space-y-0.5 ps-5">
        {withIndex(lines).map(({ item, index }) => (
          <li key={index}>{inline(item.replace(bullet, ''))}</li>
        ))}
      </ul>
    );
  }
  return (
    <p className="whitespace-pre-line">{inline(lines.map((line) => line.replace(/^#{1,6}\s+/, '')).join('\n'))}</p>
  );
}

/** Returns `**bold**` and `code` as elements, and all other text as text. */
function inline(text: string): ReactNode {
  return withIndex(text.split(/(\*\*[^*\n]{1,500}\*\*|`[^`\n]{1,500}`)/)).map(({ item, index }) => {
    if (item.startsWith('**') && item.endsWith('**') && item.length > 4) {
      return <strong key={index}>{item.slice(2, -2)}</strong>;
    }
    if (item.startsWith('`') && item.endsWith('`') && item.length > 2) {
      return (
        <code className="font-mono text-[0.92em]" key={index}>
          {item.slice(1, -1)}
        </code>
      );
    }
    return item;
  });
}
