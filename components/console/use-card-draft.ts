import { useEffect, useState } from 'react';
import { readSessionItem, setSessionItem } from '../ui/controls/session-storage';
import { applyDraft } from './apply-draft';
import { type CardDraft, cardText, firstDraft } from './card-from-draft';
import { draftFromCard } from './draft-from-card';

const storageKey = 'parley.card-builder';

export interface CardDraftState {
  /** The card: the single source of truth, edited by both the form and the editor. */
  text: string;
  /** The form state of the text; of the last text that the form could represent. */
  draft: CardDraft;
  /** The form cannot represent the text: set only after a delay, not while typing. */
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

/** A card edited by form and by hand; it survives a reload. */
export function useCardDraft(): CardDraftState {
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
    // The editor also fires when its text was set from outside.
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
