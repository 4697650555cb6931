import { useEffect, useState } from 'react';
import { keepInTab, readKept } from '../ui/kept-in-tab';
import { type CardDraft, firstDraft, textOfCard } from './built-card';
import { draftOfCard } from './draft-of-card';
import { editedCard } from './edited-card';

const keptAs = 'parley.card-builder';

export interface CardDraftState {
  /** The card: the one truth, which the form and the editor both write. */
  text: string;
  /** What the form shows of it; of the last text that it could show. */
  draft: CardDraft;
  /** The form cannot show or change the text: not while one types, but when it stays so. */
  stuck: boolean;
  change: (part: Partial<CardDraft>) => void;
  write: (text: string) => void;
  /** Makes the card anew from what the form shows. */
  rebuild: () => void;
  startOver: () => void;
  /** Puts back what stood there before the card was rebuilt or started over; null when there is nothing to take back. */
  undo: (() => void) | null;
}

interface Built {
  text: string;
  draft: CardDraft;
  readable: boolean;
}

/** Nearly every text is no JSON while it is being written. */
const patienceMs = 1_000;

const nothing: Built = { text: textOfCard(firstDraft), draft: firstDraft, readable: true };

/** A card that is made in a form and by hand, whichever is nearer; it survives a reload. */
export function useCardDraft(): CardDraftState {
  const [built, setBuilt] = useState(nothing);
  const [before, setBefore] = useState<Built | null>(null);
  const [stuck, setStuck] = useState(false);
  const { readable } = built;

  useEffect(() => {
    if (readable) return setStuck(false);
    const timer = setTimeout(() => setStuck(true), patienceMs);
    return () => clearTimeout(timer);
  }, [readable]);

  useEffect(() => {
    const text = readKept(keptAs);
    if (text !== null) setBuilt(read(text, firstDraft));
  }, []);

  function put(next: Built, undoable: Built | null): void {
    setBuilt(next);
    setBefore(undoable);
    keepInTab(keptAs, next.text === nothing.text ? null : next.text);
  }

  return {
    text: built.text,
    draft: built.draft,
    stuck,
    change: (part) => {
      if (!readable) return setStuck(true);
      const draft = { ...built.draft, ...part };
      put({ text: editedCard(built.text, built.draft, draft), draft, readable: true }, null);
    },
    // The editor says it too when it was given another text.
    write: (text) => text !== built.text && put(read(text, built.draft), null),
    rebuild: () => put({ text: textOfCard(built.draft), draft: built.draft, readable: true }, built),
    startOver: () => put(nothing, built),
    undo: before && (() => put(before, null)),
  };
}

function read(text: string, before: CardDraft): Built {
  const draft = draftOfCard(text, before);
  return { text, draft: draft ?? before, readable: draft !== null };
}
