import type { ReactNode } from 'react';
import type { AgentPreview, PreviewedCard, SkillView } from '@/lib/catalog/schema';
import { CapabilityBadge } from '../market/capability';
import { LookAlikeNote } from '../market/look-alike-note';
import { agentPath } from '../shell/routes';
import { Avatar } from '../ui/avatar';
import { Card } from '../ui/card';
import { Fact, FactList, Literal } from './fact-list';

/** How the agent would be listed, and what was read in its card. */
export function CardPreview({ card, preview }: { card: PreviewedCard; preview: AgentPreview }): ReactNode {
  const { slug, cardUrl } = preview;
  return (
    <section aria-labelledby="preview" className="space-y-4">
      <h2 className="text-xl font-semibold" id="preview">
        What Parley found
      </h2>
      {preview.looksLike ? <LookAlikeNote original={preview.looksLike} /> : null}
      <Card className="divide-y divide-line">
        <div className="flex gap-4 p-5">
          <Avatar name={card.name} seed={slug ?? card.name} size={48} />
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
              <Fact name="Its page">
                <Literal>{agentPath(slug)}</Literal>
              </Fact>
            ) : null}
            <Fact name="Card">
              <Literal>{cardUrl}</Literal>
            </Fact>
            <Fact name="Calls go to">
              <Literal>{card.endpointUrl}</Literal>
            </Fact>
            <Fact name="Speaks">
              A2A {card.protocolVersion}, {card.binding === 'JSONRPC' ? 'JSON-RPC' : 'HTTP+JSON'}; version{' '}
              {card.version}
            </Fact>
            <Fact name={card.skills.length === 1 ? 'Skill' : 'Skills'}>
              <Skills skills={card.skills} />
            </Fact>
          </FactList>
        </div>
      </Card>
    </section>
  );
}

function Skills({ skills }: { skills: SkillView[] }): ReactNode {
  if (skills.length === 0) return 'None. People find agents by their skills: name some in the card.';
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
