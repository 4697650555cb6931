'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { JsonValue } from '../../../lib/protocol/json';
import { PriceText } from '../../market/listing/price-text';
import { agentPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { CardFrame } from './card-frame';
import { JsonCard } from './json-card';
import { type AgentChoicesView, type AgentChoiceView, readAgentChoices } from './read-agent-choices';

export interface AgentChoicesCardProps {
  value: JsonValue;
  /** Sends the choice on behalf of the user. Absent if the question has already been answered. */
  onReply?: (text: string) => void;
}

/** The agents from which the user chooses the recipient of their message; data without them as JSON. */
export function AgentChoicesCard({ value, onReply }: AgentChoicesCardProps): ReactNode {
  const choices = readAgentChoices(value);
  return choices ? <Choices choices={choices} onReply={onReply} /> : <JsonCard value={value} />;
}

interface ChoicesProps extends Pick<AgentChoicesCardProps, 'onReply'> {
  choices: AgentChoicesView;
}

function Choices({ choices, onReply }: ChoicesProps): ReactNode {
  const t = useTranslations('parts.agentChoices');
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (choice: AgentChoiceView): void => {
    setChosen(choice.slug);
    const isUnique = choices.filter(({ name }) => name === choice.name).length === 1;
    onReply?.(
      isUnique ? t('reply', { name: choice.name }) : t('replyExactly', { name: choice.name, slug: choice.slug }),
    );
  };
  return (
    <CardFrame label={t('label')}>
      <ul className="divide-y divide-line">
        {choices.map((choice) => (
          <li className="flex flex-col gap-3 p-4 sm:flex-row sm:items-start" key={choice.slug}>
            <Choice choice={choice} />
            {onReply ? (
              <Button
                aria-disabled={chosen !== null || undefined}
                aria-label={t('askNamed', { name: choice.name })}
                className="shrink-0 self-start"
                onClick={() => choose(choice)}
                pending={chosen === choice.slug}
                size="sm"
              >
                {t('ask')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </CardFrame>
  );
}

function Choice({ choice: { slug, name, description, skill, price, fit } }: { choice: AgentChoiceView }): ReactNode {
  const t = useTranslations('parts.agentChoices');
  return (
    <div className="min-w-0 flex-1 space-y-1">
      <p className="font-semibold break-words">
        <Link className="hover:text-accent hover:underline" href={agentPath(slug)} prefetch={false} target="_blank">
          <UntrustedText text={name} />
        </Link>
      </p>
      {skill ? (
        <p className="break-words">{t.rich('skill', { name: () => <bdi className="font-medium">{skill}</bdi> })}</p>
      ) : null}
      {description ? (
        <p className="line-clamp-2 text-muted">
          <UntrustedText text={description} />
        </p>
      ) : null}
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">
        {price ? <PriceText price={price} /> : null}
        {fit === null ? null : <span>{t('fit', { share: fit / 100 })}</span>}
      </p>
    </div>
  );
}
