import { type RefObject, useEffect, useRef, useState } from 'react';
import { isEditingElsewhere } from './is-editing-elsewhere';
import type { AgentItem, ThreadItem } from './to-view';

export interface Question {
  taskId: string;
  kind: 'asks' | 'needs-auth';
}

export interface QuestionState {
  /** The question that the composer answers. */
  question: Question | null;
  answer: (taskId: string) => void;
  dismiss: () => void;
}

/**
 * Which question the composer answers: the latest open one, unless the user chose otherwise. A new question takes the
 * focus once, unless the user is typing elsewhere.
 */
export function useQuestion(items: readonly ThreadItem[], field: RefObject<HTMLTextAreaElement | null>): QuestionState {
  // Key of the dismissed or chosen turn; another turn resets the choice.
  const [dismissedKey, setDismissedKey] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const open = items.filter(isOpenQuestion);
  const last = items.at(-1);
  const openQuestion = last && isOpenQuestion(last) && last.key !== dismissedKey ? last : null;
  const turn = open.find(({ key }) => key === chosen) ?? openQuestion;
  const focused = useRef<string | null>(null);
  const key = turn?.key ?? null;

  useEffect(() => {
    if (key === null || focused.current === key) return;
    focused.current = key;
    if (!isEditingElsewhere(field.current)) field.current?.focus();
  }, [key, field]);

  return {
    question: turn ? { taskId: turn.taskId, kind: turn.phase } : null,
    answer(taskId) {
      setChosen(open.find((item) => item.taskId === taskId)?.key ?? null);
      setDismissedKey(null);
      field.current?.focus();
    },
    dismiss() {
      setChosen(null);
      setDismissedKey(last?.key ?? null);
      field.current?.focus();
    },
  };
}

function isOpenQuestion(item: ThreadItem): item is AgentItem & { phase: Question['kind'] } {
  return item.kind === 'agent' && (item.phase === 'asks' || item.phase === 'needs-auth');
}
