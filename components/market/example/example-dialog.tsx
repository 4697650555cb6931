'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import type { ExampleDraft, ExampleTask } from '@/lib/chat/schema-examples';
import { readApi } from '../../forms/call-api';
import { newChatPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { Spinner } from '../../ui/controls/loading';
import { Alert } from '../../ui/display/alert';
import { DateTime } from '../../ui/display/date-time';
import { LazyDialog } from '../../ui/overlays/lazy';
import { ExampleEditor } from './example-editor';

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
