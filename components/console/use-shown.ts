import { useState } from 'react';

export interface Shown<Value> {
  shown: Value;
  /** For the form: somebody writes. */
  onInput: () => void;
  /** What was written is on its way. */
  onSent: () => void;
}

/**
 * What a form starts from when it also changes elsewhere: the newest, until somebody writes, and from then on what they saw,
 * until that is sent and the next one comes. Nothing changes under their hands.
 */
export function useShown<Value>(newest: Value): Shown<Value> {
  const [seen, setSeen] = useState(newest);
  const [shown, setShown] = useState(newest);
  const [isWritten, setWritten] = useState(false);
  if (newest !== seen) {
    setSeen(newest);
    if (!isWritten) setShown(newest);
  }
  return { shown, onInput: () => setWritten(true), onSent: () => setWritten(false) };
}
