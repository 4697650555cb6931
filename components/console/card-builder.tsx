'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { listAgainPath } from '../routes';
import { Button, LinkButton } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';
import { CardFields } from './card-fields';
import { CardWorkbench } from './card-workbench';
import { SkillFields } from './skill-fields';
import { useCardDraft } from './use-card-draft';

/** A form next to the card's text, linted while typing; a change in either updates both. */
export function CardBuilder(): ReactNode {
  const t = useTranslations('console.cardBuilder');
  const { text, draft, stuck, change, write, rebuild, startOver, undo } = useCardDraft();
  const origin = URL.canParse(draft.url) ? new URL(draft.url).origin : null;

  return (
    <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
      <form aria-label={t('label')} className="min-w-0 space-y-6" onSubmit={(event) => event.preventDefault()}>
        {stuck ? (
          <Alert live="polite" title={t('unreadable')} tone="warn">
            <p>{t('fixFirst')}</p>
            <Button className="mt-3" onClick={rebuild} size="sm">
              {t('rebuild')}
            </Button>
          </Alert>
        ) : null}
        <fieldset className="min-w-0 space-y-6" disabled={stuck}>
          <CardFields draft={draft} onChange={change} />
          <SkillFields onChange={(skills) => change({ skills })} skills={draft.skills} />
        </fieldset>
        {undo ? <Button onClick={undo}>{t('undo')}</Button> : <Button onClick={startOver}>{t('startOver')}</Button>}
      </form>
      <div className="min-w-0 space-y-5">
        <CardWorkbench onText={write} text={text} url={origin} />
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
