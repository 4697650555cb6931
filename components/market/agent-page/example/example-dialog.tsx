'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { MAX_EXAMPLE_TEXT_LENGTH } from '@/lib/chat/limits';
import type { ExampleDraft, ExampleTask } from '@/lib/chat/schema-shares';
import { callApi, readApi } from '../../../forms/call-api';
import { Textarea } from '../../../forms/inputs';
import { newChatPath } from '../../../routes';
import { Button, LinkButton } from '../../../ui/controls/button';
import { Spinner } from '../../../ui/controls/loading';
import { Alert } from '../../../ui/display/alert';
import { DateTime } from '../../../ui/display/date-time';
import { withIndex } from '../../../ui/display/untrusted-text';
import { LazyDialog } from '../../../ui/overlays/lazy';

export interface ExampleDialogProps {
  slug: string;
  onOpenChange: (open: boolean) => void;
  onPublished: () => void;
}

/** Two steps: choose one of the user's own completed tasks, then review and publish its masked texts. */
export function ExampleDialog({ slug, onOpenChange, onPublished }: ExampleDialogProps): ReactNode {
  const t = useTranslations('market.exampleDialog');
  const [tasks, setTasks] = useState<ExampleTask[] | null>(null);
  const [draft, setDraft] = useState<ExampleDraft | null>(null);
  const [problem, setProblem] = useState('');
  const path = `/api/agents/${encodeURIComponent(slug)}/example`;

  useEffect(() => {
    readApi<{ items: ExampleTask[] }>(`${path}/tasks`)
      .then(({ items }) => setTasks(items))
      .catch((error: Error) => setProblem(error.message));
  }, [path]);

  function choose(id: string): void {
    setProblem('');
    readApi<ExampleDraft>(`${path}/tasks/${id}`)
      .then(setDraft)
      .catch((error: Error) => setProblem(error.message));
  }

  return (
    <LazyDialog
      description={t(draft ? 'review' : 'description')}
      onOpenChange={onOpenChange}
      title={t(draft ? 'reviewTitle' : 'title')}
    >
      {problem ? (
        <Alert className="mb-4" live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      {draft ? (
        <ExampleEditor draft={draft} onBack={() => setDraft(null)} onPublished={onPublished} path={path} />
      ) : tasks === null ? (
        problem ? null : (
          <Spinner label={t('loading')} />
        )
      ) : tasks.length === 0 ? (
        <div className="space-y-3 text-sm">
          <p>{t('noTasks')}</p>
          <LinkButton href={newChatPath(slug)} size="sm">
            {t('chat')}
          </LinkButton>
        </div>
      ) : (
        <ul className="divide-y divide-line rounded-md border border-line">
          {tasks.map((task) => (
            <li key={task.id}>
              <button
                className="block min-h-11 w-full px-4 py-2.5 text-start text-sm hover:bg-sunken"
                onClick={() => choose(task.id)}
                type="button"
              >
                <span className="line-clamp-2 font-medium" dir="auto">
                  {task.text || t('untitled')}
                </span>
                <span className="text-xs text-muted">
                  <DateTime at={task.at} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </LazyDialog>
  );
}

interface ExampleEditorProps {
  draft: ExampleDraft;
  path: string;
  onBack: () => void;
  onPublished: () => void;
}

/** The messages of a draft, each of which can be edited or omitted, and the button that publishes them. */
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
