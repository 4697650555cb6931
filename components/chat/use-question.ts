import { type RefObject, useEffect, useRef, useState } from 'react';
import { isWritingElsewhere } from './is-writing-elsewhere';
import type { AgentItem, ThreadItem } from './to-view';

export interface Question {
  taskId: string;
  kind: 'asks' | 'needs-auth';
}

export interface QuestionState {
  /** The question that the composer answers. */
  question: Question | null;
  answer: (taskId: string) => void;
  leave: () => void;
}

/**
 * Which question the composer answers: the one that the conversation stands at, unless the person chose otherwise. A new
 * question takes the focus once, but not from somebody who writes elsewhere.
 */
export function useQuestion(items: readonly ThreadItem[], field: RefObject<HTMLTextAreaElement | null>): QuestionState {
  // The key of the turn that was left or chosen; another turn makes the choice void.
  const [left, setLeft] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const open = items.filter(isOpenQuestion);
  const last = items.at(-1);
  const standing = last && isOpenQuestion(last) && last.key !== left ? last : null;
  const turn = open.find(({ key }) => key === chosen) ?? standing;
  const focused = useRef<string | null>(null);
  const key = turn?.key ?? null;

  useEffect(() => {
    if (key === null || focused.current === key) return;
    focused.current = key;
    if (!isWritingElsewhere(field.current)) field.current?.focus();
  }, [key, field]);

  return {
    question: turn ? { taskId: turn.taskId, kind: turn.phase } : null,
    answer(taskId) {
      setChosen(open.find((item) => item.taskId === taskId)?.key ?? null);
      setLeft(null);
      field.current?.focus();
    },
    leave() {
      setChosen(null);
      setLeft(last?.key ?? null);
      field.current?.focus();
    },
  };
}

function isOpenQuestion(item: ThreadItem): item is AgentItem & { phase: Question['kind'] } {
  return item.kind === 'agent' && (item.phase === 'asks' || item.phase === 'needs-auth');
}
