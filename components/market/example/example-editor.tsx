'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { MAX_EXAMPLE_TEXT_LENGTH } from '@/lib/chat/limits';
import type { ExampleDraft } from '@/lib/chat/schema-examples';
import { callApi } from '../../forms/call-api';
import { Textarea } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { withIndex } from '../../ui/display/untrusted-text';

interface ExampleEditorProps {
  draft: ExampleDraft;
  path: string;
  onBack: () => void;
  onPublished: () => void;
}

/** The messages of a draft, each to edit or leave out, and the button that publishes them. */
export function ExampleEditor({ draft, path, onBack, onPublished }: ExampleEditorProps): ReactNode {
  const t = useTranslations('market.exampleEditor');
  const [texts, setTexts] = useState(() => draft.turns.map(({ text }) => text));
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState('');
  const turns = withIndex(texts)
    .map(({ item, index }) => ({ at: index, text: item }))
    .filter(({ text }) => text.trim() !== '');

  async function publish(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    setProblem('');
    const answer = await callApi('PUT', path, { taskId: draft.taskId, turns });
    setPending(false);
    if (answer.ok) onPublished();
    else setProblem(answer.problem.faults[0]?.message ?? answer.problem.title);
  }

  return (
    <form className="space-y-4" onSubmit={(event) => void publish(event)}>
      {withIndex(draft.turns).map(({ item: { role }, index }) => (
        <div key={index}>
          <label className="text-sm font-medium" htmlFor={`turn-${index}`}>
            {t(`role.${role}`)}
          </label>
          <Textarea
            className="mt-1.5"
            id={`turn-${index}`}
            maxLength={MAX_EXAMPLE_TEXT_LENGTH}
            onChange={(event) => setTexts((all) => all.map((text, at) => (at === index ? event.target.value : text)))}
            rows={Math.min(8, Math.max(2, Math.ceil((texts[index] ?? '').length / 60)))}
            value={texts[index]}
          />
        </div>
      ))}
      <p className="text-sm text-muted">{t('hint')}</p>
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack} tone="quiet">
          {t('back')}
        </Button>
        <Button disabled={turns.length === 0} pending={pending} tone="primary" type="submit">
          {t('publish')}
        </Button>
      </div>
    </form>
  );
}
