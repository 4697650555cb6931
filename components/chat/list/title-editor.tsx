'use client';

import { useTranslations } from 'next-intl';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { MAX_TITLE_LENGTH } from '../../../lib/chat/limits';
import { Input } from '../../forms/inputs';
import { toast } from '../../ui/overlays/toast';
import { changeConversation } from '../state/api';
import { useProblem } from '../state/use-problem';

export interface TitleEditorProps {
  conversationId: string;
  title: string;
  /**
   * Called with the new title, or null if it is unchanged. With `byKey`, the focus must return to its previous element.
   */
  onDone: (title: string | null, byKey: boolean) => void;
}

/** A conversation's title as an inline field. Enter and leaving the field save, Esc cancels. */
export function TitleEditor({ conversationId, title, onDone }: TitleEditorProps): ReactNode {
  const t = useTranslations('chat.titleEditor');
  const problemOf = useProblem();
  const [text, setText] = useState(title);
  const field = useRef<HTMLInputElement>(null);
  // Removing the focused field fires a blur, which must not save a second time.
  const done = useRef(false);
  useEffect(() => field.current?.select(), []);

  async function save(byKey: boolean): Promise<void> {
    const next = text.trim();
    if (done.current) return;
    if (next === '' && byKey) {
      toast({ tone: 'danger', text: t('needed') });
      return;
    }
    done.current = true;
    if (next === '' || next === title) return onDone(null, byKey);
    try {
      await changeConversation(conversationId, { title: next });
      onDone(next, byKey);
    } catch (error) {
      done.current = false;
      toast({ tone: 'danger', text: t('notSaved', { problem: problemOf(error) }) });
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    // Escape must not stop the agent as well.
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') return void save(true);
    done.current = true;
    onDone(null, true);
  }

  return (
    <Input
      aria-label={t('label')}
      autoComplete="off"
      autoFocus
      dir="auto"
      maxLength={MAX_TITLE_LENGTH}
      onBlur={(event: FocusEvent) => event.relatedTarget !== field.current && void save(false)}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      ref={field}
      value={text}
    />
  );
}
