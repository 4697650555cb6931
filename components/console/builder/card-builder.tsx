'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { listAgainPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { readSessionItem, setSessionItem } from '../../ui/controls/session-storage';
import { Alert } from '../../ui/display/alert';
import { CardWorkbench } from '../card/card-workbench';
import { applyDraft } from './apply-draft';
import { type CardDraft, cardText, draftFromCard, firstDraft } from './card-draft';
import { CardFields, SkillFields } from './card-fields';

/** A form next to the card's text, which is checked while it is typed. A change in either updates both. */
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

const storageKey = 'parley.card-builder';

interface CardDraftState {
  /** The card: the single source of truth, edited by both the form and the editor. */
  text: string;
  /** The form state of the text, or of the last text that the form could represent. */
  draft: CardDraft;
  /** True if the form cannot represent the text. Set only after a delay, not while typing. */
  stuck: boolean;
  change: (part: Partial<CardDraft>) => void;
  write: (text: string) => void;
  /** Rebuilds the card from the form state. */
  rebuild: () => void;
  startOver: () => void;
  /** Restores the text from before a rebuild or reset; null if there is none. */
  undo: (() => void) | null;
}

interface Built {
  text: string;
  draft: CardDraft;
  readable: boolean;
}

/** Delay until invalid JSON is reported, because nearly every text is invalid while it is being typed. */
const timeoutMs = 1_000;

const nothing: Built = { text: cardText(firstDraft), draft: firstDraft, readable: true };

/** Returns a card that is edited by form and by hand, and survives a reload. */
function useCardDraft(): CardDraftState {
  const [built, setBuilt] = useState(nothing);
  const [before, setBefore] = useState<Built | null>(null);
  const [stuck, setStuck] = useState(false);
  const { readable } = built;

  useEffect(() => {
    if (readable) return setStuck(false);
    const timer = setTimeout(() => setStuck(true), timeoutMs);
    return () => clearTimeout(timer);
  }, [readable]);

  useEffect(() => {
    const text = readSessionItem(storageKey);
    if (text !== null) setBuilt(read(text, firstDraft));
  }, []);

  function store(next: Built, undoable: Built | null): void {
    setBuilt(next);
    setBefore(undoable);
    setSessionItem(storageKey, next.text === nothing.text ? null : next.text);
  }

  return {
    text: built.text,
    draft: built.draft,
    stuck,
    change: (part) => {
      if (!readable) return setStuck(true);
      const draft = { ...built.draft, ...part };
      store({ text: applyDraft(built.text, built.draft, draft), draft, readable: true }, null);
    },
    // The editor also fires when its text was set programmatically.
    write: (text) => text !== built.text && store(read(text, built.draft), null),
    rebuild: () => store({ text: cardText(built.draft), draft: built.draft, readable: true }, built),
    startOver: () => store(nothing, built),
    undo: before && (() => store(before, null)),
  };
}

function read(text: string, before: CardDraft): Built {
  const draft = draftFromCard(text, before);
  return { text, draft: draft ?? before, readable: draft !== null };
}
