'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { listAgainPath } from '../shell/routes';
import { LinkButton } from '../ui/link-button';
import { builtCard, type CardDraft, firstDraft } from './built-card';
import { CardFields } from './card-fields';
import { CardWorkbench } from './card-workbench';
import { SkillFields } from './skill-fields';

/** A form on one side and the card that it makes on the other, checked as one types; it can be changed by hand too. */
export function CardBuilder(): ReactNode {
  const t = useTranslations('console.cardBuilder');
  const [draft, setDraft] = useState<CardDraft>(firstDraft);
  const [text, setText] = useState(builtCard(firstDraft));
  const origin = URL.canParse(draft.url) ? new URL(draft.url).origin : null;

  function change(part: Partial<CardDraft>): void {
    const next = { ...draft, ...part };
    setDraft(next);
    setText(builtCard(next));
  }

  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
      <form aria-label={t('label')} className="min-w-0 space-y-6" onSubmit={(event) => event.preventDefault()}>
        <CardFields draft={draft} onChange={change} />
        <SkillFields onChange={(skills) => change({ skills })} skills={draft.skills} />
      </form>
      <div className="min-w-0 space-y-5">
        <CardWorkbench onText={setText} text={text} url={origin} />
        {origin ? (
          <div className="space-y-3 text-sm">
            <p>
              {t.rich('serve', {
                address: `${origin}/.well-known/agent-card.json`,
                mono: (address) => <span className="font-mono text-xs break-all">{address}</span>,
              })}
            </p>
            <LinkButton href={listAgainPath(origin)} tone="primary">
              {t('list', { origin })}
            </LinkButton>
          </div>
        ) : null}
      </div>
    </div>
  );
}
