import type { ReactNode } from 'react';
import type { AgentPreview, PreviewedCard } from '@/lib/catalog/schema';
import { Alert } from '../ui/alert';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';

/** How the agent would be listed, and what was read in its card. */
export function CardPreview({ card, preview }: { card: PreviewedCard; preview: AgentPreview }): ReactNode {
  const { slug, cardUrl, otherOrigin } = preview;
  return (
    <section aria-labelledby="preview" className="space-y-3">
      <h2 className="text-xl font-semibold" id="preview">
        What Parley found
      </h2>
      <Card className="space-y-4 p-5">
        <div className="flex gap-4">
          <Avatar name={card.name} seed={slug ?? card.name} size={48} />
          <div className="min-w-0">
            <p className="text-lg font-semibold">
              <bdi>{card.name}</bdi>
            </p>
            <p className="text-sm text-muted" dir="auto">
              {card.description}
            </p>
          </div>
        </div>
        <p className="flex flex-wrap gap-2">
          {card.badges.map((badge) => (
            <Badge key={badge} tone="accent">
              {badge}
            </Badge>
          ))}
        </p>
        <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[9rem_minmax(0,1fr)]">
          <Fact name="Will be named">{slug}</Fact>
          <Fact name="Card">{cardUrl}</Fact>
          <Fact name="Calls go to">{card.endpointUrl}</Fact>
          <Fact name="Speaks">A2A {card.protocolVersion}, JSON-RPC</Fact>
          <Fact name="Skills">{card.skills.map(({ name }) => name).join(', ') || 'none'}</Fact>
        </dl>
      </Card>
      {otherOrigin ? (
        <Alert title="Calls go to another host than the card came from" tone="warn">
          The card is at {otherOrigin.expected}, the agent at {otherOrigin.found}. List it only if both are yours.
        </Alert>
      ) : null}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="font-mono break-all">{children}</dd>
    </>
  );
}
