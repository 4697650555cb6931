'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { CardLint } from '@/lib/catalog/schema-card-updates';
import { callApi } from '../account/call-api';

const pauseMs = 350;
const unchecked: Omit<Lint, 'again'> = { lint: null, checked: '', pending: false, problem: '' };

export interface Lint {
  /** What the server said of `text`; null before it has. */
  lint: CardLint | null;
  /** The text that it said this of. */
  checked: string;
  pending: boolean;
  /** Why it could not be checked; empty when it was. */
  problem: string;
  /** Has the same text checked once more. */
  again: () => void;
}

/** Has a card's text checked whenever it has rested for a moment; an answer about an older text is dropped. */
export function useLint(text: string, url: string | null): Lint {
  const [state, setState] = useState(unchecked);
  const latest = useRef(text);

  const check = useCallback(async () => {
    const answer = await callApi('POST', '/api/cards/lint', { card: text, ...(url && { url }) });
    if (latest.current !== text) return;
    if (answer.ok) setState({ ...unchecked, lint: answer.body as CardLint, checked: text });
    else setState({ ...unchecked, checked: text, problem: answer.problem.title });
  }, [text, url]);

  useEffect(() => {
    latest.current = text;
    if (text.trim() === '') return setState({ ...unchecked, checked: text });
    setState((before) => ({ ...before, pending: true }));
    const timer = setTimeout(() => void check(), pauseMs);
    return () => clearTimeout(timer);
  }, [text, check]);

  function again(): void {
    setState((before) => ({ ...before, pending: true }));
    void check();
  }

  return { ...state, again };
}
