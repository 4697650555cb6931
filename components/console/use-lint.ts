'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { CardLint } from '@/lib/catalog/schema-preview';
import { callApi } from '../forms/call-api';

const pauseMs = 350;
const unchecked: Omit<Lint, 'again'> = { lint: null, checked: '', pending: false, problem: '' };

export interface Lint {
  /** The server's result for `text`; null before the first one. */
  lint: CardLint | null;
  /** The text of that result. */
  checked: string;
  pending: boolean;
  /** The reason why it could not be checked; empty on success. */
  problem: string;
  /** Checks the same text again. */
  again: () => void;
}

/** Lints a card's text after a pause in typing; a response for an older text is dropped. */
export function useLint(text: string, url: string | null): Lint {
  const [state, setState] = useState(unchecked);
  const latest = useRef(text);

  const check = useCallback(async () => {
    const response = await callApi('POST', '/api/cards/lint', { card: text, ...(url && { url }) });
    if (latest.current !== text) return;
    if (response.ok) setState({ ...unchecked, lint: response.body as CardLint, checked: text });
    else setState({ ...unchecked, checked: text, problem: response.problem.title });
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
