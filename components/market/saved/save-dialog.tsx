'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { MAX_COLLECTION_TITLE } from '@/lib/discovery/limits';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { callApi, readApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { Input } from '../../forms/inputs';
import { collectionPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Spinner } from '../../ui/controls/loading';
import { Alert } from '../../ui/display/alert';
import { LazyDialog } from '../../ui/overlays/lazy';

interface SaveDialogProps {
  slug: string;
  name: string;
  onOpenChange: (open: boolean) => void;
}

/** The user's collections, with a checkbox for this agent, and a way to create a collection that contains it. */
export function SaveDialog({ slug, name, onOpenChange }: SaveDialogProps): ReactNode {
  const t = useTranslations('market.saveDialog');
  const [own, setOwn] = useState<CollectionSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    readApi<{ own: CollectionSummary[] }>(`/api/collections?${new URLSearchParams({ agent: slug })}`)
      .then((response) => setOwn(response.own))
      .catch((error: Error) => setProblem(error.message));
  }, [slug]);

  async function toggle({ id, holds = false }: CollectionSummary): Promise<void> {
    setProblem(null);
    mark(id, !holds);
    const path = `/api/collections/${id}/agents/${encodeURIComponent(slug)}`;
    const response = await callApi(holds ? 'DELETE' : 'PUT', path);
    if (response.ok) return;
    mark(id, holds);
    setProblem(response.problem.title);
  }

  function mark(id: string, holds: boolean): void {
    setOwn((list) => list?.map((item) => (item.id === id ? { ...item, holds } : item)) ?? null);
  }

  /** Resolves to true if a collection was created. */
  async function create(title: string): Promise<boolean> {
    setProblem(null);
    const made = await callApi('POST', '/api/collections', { title });
    if (!made.ok) {
      setProblem(made.problem.title);
      return false;
    }
    const collection = made.body as CollectionSummary;
    setOwn((list) => [collection, ...(list ?? [])]);
    await toggle(collection);
    return true;
  }

  return (
    <LazyDialog
      description={t('description')}
      onOpenChange={onOpenChange}
      title={t.rich('title', { name: () => <bdi>{name}</bdi> })}
    >
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      {own === null && !problem ? <Spinner label={t('loading')} /> : null}
      {own ? <Choices onToggle={(collection) => void toggle(collection)} own={own} /> : null}
      {own ? <NewCollection onCreate={create} /> : null}
    </LazyDialog>
  );
}

function Choices({
  own,
  onToggle,
}: {
  own: CollectionSummary[];
  onToggle: (collection: CollectionSummary) => void;
}): ReactNode {
  const t = useTranslations('market.saveDialog');
  if (own.length === 0) return null;
  return (
    <ul className="divide-y divide-line rounded-md border border-line">
      {own.map((collection) => (
        <li className="flex items-center gap-3 px-3" key={collection.id}>
          <label className="flex min-h-11 min-w-0 flex-1 cursor-pointer items-center gap-3">
            <input
              checked={collection.holds ?? false}
              className="size-4 shrink-0 accent-accent touch:size-5"
              onChange={() => onToggle(collection)}
              type="checkbox"
            />
            <bdi className="min-w-0 truncate">{collection.title}</bdi>
          </label>
          <a className="text-link inline-flex min-h-11 items-center text-sm" href={collectionPath(collection.id)}>
            {t.rich('open', {
              title: collection.title,
              hidden: (chunks) => <span className="sr-only">{chunks}</span>,
            })}
          </a>
        </li>
      ))}
    </ul>
  );
}

function NewCollection({ onCreate }: { onCreate: (title: string) => Promise<boolean> }): ReactNode {
  const t = useTranslations('market.saveDialog');
  const [pending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget;
    const title = String(new FormData(form).get('title') ?? '').trim();
    if (title === '' || pending) return;
    setPending(true);
    if (await onCreate(title)) form.reset();
    setPending(false);
  }

  return (
    <form className="mt-4 flex items-end gap-2" onSubmit={(event) => void submit(event)}>
      <div className="min-w-0 flex-1">
        <Field id="new-collection" label={t('new')} required>
          {(control) => <Input {...control} autoComplete="off" maxLength={MAX_COLLECTION_TITLE} name="title" />}
        </Field>
      </div>
      <Button pending={pending} type="submit">
        {t('create')}
      </Button>
    </form>
  );
}
