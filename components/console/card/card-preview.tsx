import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SkillView } from '@/lib/catalog/schema';
import type { AgentPreview, PreviewedCard } from '@/lib/catalog/schema-registration';
import { CapabilityBadge } from '../../market/listing/capability-badges';
import { LookAlikeNote } from '../../market/listing/look-alike-note';
import { agentPath } from '../../routes';
import { AgentMark } from '../../ui/display/agent-mark';
import { Card } from '../../ui/display/card';
import { Fact, FactList, Literal } from '../../ui/display/fact-list';

const bindingNames: Record<PreviewedCard['binding'], string> = {
  JSONRPC: 'JSON-RPC',
  'HTTP+JSON': 'HTTP+JSON',
  GRPC: 'gRPC',
  MCP: 'MCP',
};

/** A preview of the listing, and the data read from its card. */
export function CardPreview({ card, preview }: { card: PreviewedCard; preview: AgentPreview }): ReactNode {
  const t = useTranslations('console.cardPreview');
  const { slug, cardUrl } = preview;
  return (
    <section aria-labelledby="preview" className="space-y-4">
      <h2 className="text-xl font-semibold" id="preview">
        {t('title')}
      </h2>
      {preview.looksLike ? <LookAlikeNote original={preview.looksLike} /> : null}
      <Card className="divide-y divide-line">
        <div className="flex gap-4 p-5">
          <AgentMark size={48} slug={slug ?? card.name} />
          <div className="min-w-0">
            <p className="text-lg leading-snug font-semibold">
              <bdi>{card.name}</bdi>
            </p>
            <p className="mt-1 text-sm text-muted" dir="auto">
              {card.description}
            </p>
            <p className="mt-3 flex flex-wrap gap-1.5 empty:hidden">
              {card.badges.map((badge) => (
                <CapabilityBadge capability={badge} key={badge} />
              ))}
            </p>
          </div>
        </div>
        <div className="p-5">
          <FactList>
            {slug ? (
              <Fact name={t('page')}>
                <Literal>{agentPath(slug)}</Literal>
              </Fact>
            ) : null}
            <Fact name={t('card')}>
              <Literal>{cardUrl}</Literal>
            </Fact>
            <Fact name={t('callsGoTo')}>
              <Literal>{card.endpointUrl}</Literal>
            </Fact>
            <Fact name={t('speaks')}>
              {t('protocol', {
                protocol: card.protocolVersion,
                binding: bindingNames[card.binding],
                version: card.version,
              })}
            </Fact>
            <Fact name={t('skills', { count: card.skills.length })}>
              <Skills skills={card.skills} />
            </Fact>
          </FactList>
        </div>
      </Card>
    </section>
  );
}

function Skills({ skills }: { skills: SkillView[] }): ReactNode {
  const t = useTranslations('console.cardPreview');
  if (skills.length === 0) return t('noSkills');
  return (
    <ul className="space-y-1">
      {skills.map(({ id, name }) => (
        <li key={id}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
