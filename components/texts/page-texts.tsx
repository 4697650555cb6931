import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { needed } from '../../lib/generated/texts/needed';

export interface PageTextsProps {
  /** The folder of the page or layout that contains this element. */
  of: keyof typeof needed;
  children: ReactNode;
}

/**
 * Passes texts to the client components below: only those that they use, determined from their imports
 * (scripts/messages/extract-used-keys.mjs). The server has all texts.
 */
export async function PageTexts({ of, children }: PageTextsProps): Promise<ReactNode> {
  const texts = await getMessages();
  const picked = {};
  for (const place of needed[of]) copy(place.split('.'), texts, picked);
  return <NextIntlClientProvider messages={picked}>{children}</NextIntlClientProvider>;
}

type Tree = Record<string, unknown>;

/** Copies the value at a path of one tree to the same path of another. */
function copy([step = '', ...rest]: string[], from: Tree, to: Tree): void {
  if (rest.length === 0) {
    to[step] = from[step];
    return;
  }
  to[step] ??= {};
  copy(rest, from[step] as Tree, to[step] as Tree);
}
