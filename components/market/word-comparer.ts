import { diffWordsWithSpace } from 'diff';
import type { CardDifference } from '@/lib/catalog/schema';

/** A part of a text that stayed, came or went. */
export interface Piece {
  value: string;
  added: boolean;
  removed: boolean;
}

/** Words that may have changed in one text, and characters that are compared in all, before a page takes too long. */
const mostEdits = 100;
const mostCharacters = 10_000;

/** Compares texts word by word, those of one page together up to a limit; beyond it a text counts as replaced as a whole. */
export function wordComparer(): (difference: Pick<CardDifference, 'before' | 'after'>) => Piece[] {
  let room = mostCharacters;
  return ({ before, after }) => {
    const [from, to] = [before ?? '', after ?? ''];
    if (from === '' || to === '') return replaced(from, to);
    room -= from.length + to.length;
    const pieces = room < 0 ? undefined : diffWordsWithSpace(from, to, { maxEditLength: mostEdits });
    return pieces ?? replaced(from, to);
  };
}

function replaced(from: string, to: string): Piece[] {
  return [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ].filter(({ value }) => value !== '');
}
