import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { invisibleCharacters, strayJoiner } from '../../../lib/protocol/a2a/cards/clean-text';

/** Returns parts with render keys. Parts are only appended, so their indexes are stable. */
export function withKeys<Item extends { kind: string }>(parts: readonly Item[]): { key: string; part: Item }[] {
  return parts.map((part, index) => ({ key: `${part.kind} ${index}`, part }));
}

/** A third-party name: isolated from the surrounding text direction, with invisible characters revealed. */
export function UntrustedText({ text }: { text: string }): ReactNode {
  return (
    <bdi>
      {withIndex(splitInvisible(text)).map(({ item: piece, index }) => {
        if (piece.kind === 'text') return <span key={index}>{piece.text}</span>;
        return <Invisible code={piece.code} key={index} />;
      })}
    </bdi>
  );
}

/** A separate component, so that names without such characters need no texts. */
function Invisible({ code }: { code: string }): ReactNode {
  const t = useTranslations('ui.markedText');
  return (
    <span className="mx-0.5 rounded-sm bg-warn-soft px-1 font-mono text-xs text-warn">
      {t.rich('invisible', { code, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
    </span>
  );
}

/** Items with their index, for lists whose items have no id and never move. */
export function withIndex<Item>(items: readonly Item[]): { item: Item; index: number }[] {
  return items.map((item, index) => ({ item, index }));
}

/** A piece of text, or an invisible character by its code point. */
type RevealedPiece = { kind: 'text'; text: string } | { kind: 'hidden'; code: string };

const invisible = new RegExp(`${invisibleCharacters.source}|${strayJoiner.source}`, 'gu');

/** Splits a text at characters that reorder or hide text. */
export function splitInvisible(text: string): RevealedPiece[] {
  const pieces: RevealedPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) });
    pieces.push({ kind: 'hidden', code: codeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** Returns the same as one string, for places where elements are not permitted: `a‹U+202E›b`. */
export function revealInvisible(text: string): string {
  return splitInvisible(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `‹${piece.code}›`))
    .join('');
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
