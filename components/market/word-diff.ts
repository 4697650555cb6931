import { diffWordsWithSpace } from 'diff';
import type { CardDifference } from '@/lib/catalog/schema-cards';

/** A part of a text: unchanged, added or removed. */
export interface Piece {
  value: string;
  added: boolean;
  removed: boolean;
}

/** Maximum changed words in one text, and maximum characters compared per page, for performance. */
const maxEdits = 100;
const maxCharacters = 10_000;

/** Word diffs of one page, up to a common limit; above it a text counts as replaced as a whole. */
export function createWordDiff(): (difference: Pick<CardDifference, 'before' | 'after'>) => Piece[] {
  let room = maxCharacters;
  return ({ before, after }) => {
    const [from, to] = [before ?? '', after ?? ''];
    if (from === '' || to === '') return replaced(from, to);
    room -= from.length + to.length;
    const pieces = room < 0 ? undefined : diffWordsWithSpace(from, to, { maxEditLength: maxEdits });
    return pieces ?? replaced(from, to);
  };
}

function replaced(from: string, to: string): Piece[] {
  return [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ].filter(({ value }) => value !== '');
}
