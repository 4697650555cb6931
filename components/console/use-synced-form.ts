import { useState } from 'react';

export interface SyncedForm<Value> {
  shown: Value;
  /** Called by the form when the user edits it. */
  onInput: () => void;
  /** The edits were submitted. */
  onSent: () => void;
}

/**
 * Initial values of a form whose data also changes elsewhere: the latest ones until the user edits it, then the values
 * that the user saw, until submission. Fields never change while they are being edited.
 */
export function useSyncedForm<Value>(newest: Value): SyncedForm<Value> {
  const [seen, setSeen] = useState(newest);
  const [shown, setShown] = useState(newest);
  const [isWritten, setWritten] = useState(false);
  if (newest !== seen) {
    setSeen(newest);
    if (!isWritten) setShown(newest);
  }
  return { shown, onInput: () => setWritten(true), onSent: () => setWritten(false) };
}
