'use client';

import { useEffect, useState } from 'react';
import type { CardLint } from '@/lib/catalog/schema-upkeep';
import { callApi } from '../account/call-api';

const pauseMs = 350;

export interface Lint {
  /** What the server said of `text`; null before it has. */
  lint: CardLint | null;
  /** The text that it said this of. */
  checked: string;
  pending: boolean;
}

/** Has a card's text checked whenever it has rested for a moment; an answer about an older text is dropped. */
export function useLint(text: string, url: string | null): Lint {
  const [state, setState] = useState<Lint>({ lint: null, checked: '', pending: false });

  useEffect(() => {
    if (text.trim() === '') return setState({ lint: null, checked: text, pending: false });
    setState((before) => ({ ...before, pending: true }));
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const answer = await callApi('POST', '/api/cards/lint', { card: text, ...(url && { url }) });
      if (!isCurrent) return;
      setState({ lint: answer.ok ? (answer.body as CardLint) : null, checked: text, pending: false });
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, url]);

  return state;
}
