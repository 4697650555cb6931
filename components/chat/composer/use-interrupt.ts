import { type RefObject, useEffect, useRef, useState } from 'react';
import { isEditingElsewhere } from '../../ui/overlays/focus';
import type { AgentItem, ThreadItem } from '../state/to-items';

export interface Interrupt {
  taskId: string;
  kind: 'asks' | 'needs-auth';
}

export interface InterruptState {
  /** The question that the composer answers. */
  interrupt: Interrupt | null;
  answer: (taskId: string) => void;
  dismiss: () => void;
}

/**
 * Returns the question that the composer answers: the latest open one, unless the user chose another. A new question
 * receives the focus once, unless the user is typing elsewhere.
 */
export function useInterrupt(
  items: readonly ThreadItem[],
  field: RefObject<HTMLTextAreaElement | null>,
): InterruptState {
  // Key of the dismissed or chosen turn. Another turn resets the choice.
  const [dismissedKey, setDismissedKey] = useState<string | null>(null);
  const [selectedKey, setSelectedKey] = useState<string | null>(null);
  const open = items.filter(isOpenInterrupt);
  const last = items.at(-1);
  const latestInterrupt = last && isOpenInterrupt(last) && last.key !== dismissedKey ? last : null;
  const turn = open.find(({ key }) => key === selectedKey) ?? latestInterrupt;
  const focusedKey = useRef<string | null>(null);
  const key = turn?.key ?? null;

  useEffect(() => {
    if (key === null || focusedKey.current === key) return;
    focusedKey.current = key;
    // A form receives the focus itself.
    const isForm = JSON.stringify(turn?.blocks).includes('"properties":{');
    if (!isForm && !isEditingElsewhere(field.current)) field.current?.focus();
  }, [key, field, turn]);

  return {
    interrupt: turn ? { taskId: turn.taskId, kind: turn.phase } : null,
    answer(taskId) {
      setSelectedKey(open.find((item) => item.taskId === taskId)?.key ?? null);
      setDismissedKey(null);
      field.current?.focus();
    },
    dismiss() {
      setSelectedKey(null);
      setDismissedKey(last?.key ?? null);
      field.current?.focus();
    },
  };
}

function isOpenInterrupt(item: ThreadItem): item is AgentItem & { phase: Interrupt['kind'] } {
  return item.kind === 'agent' && (item.phase === 'asks' || item.phase === 'needs-auth');
}
