'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_COLLECTION_DESCRIPTION, MAX_COLLECTION_TITLE } from '@/lib/discovery/limits';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { ChoiceList } from '../../forms/choice-list';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Textarea } from '../../forms/inputs';
import { type Fields, useForm } from '../../forms/use-form';
import { collectionPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { LazyDialog } from '../../ui/overlays/lazy';

/** Creates a collection and opens its page. */
export function NewCollection(): ReactNode {
  const t = useTranslations('market.collectionDialog');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} tone="primary">
        {t('newTitle')}
      </Button>
      {open ? (
        <CollectionDialog
          collection={null}
          onClose={() => setOpen(false)}
          onSaved={({ id }) => {
            router.push(collectionPath(id));
            return 'leaving';
          }}
        />
      ) : null}
    </>
  );
}

const visibilities = ['private', 'public'] as const;

interface CollectionDialogProps {
  /** The collection to edit; null to create one. */
  collection: CollectionSummary | null;
  onClose: () => void;
  /** Called with the saved collection. With `leaving`, the form stays pending, because the browser navigates. */
  onSaved: (saved: CollectionSummary) => 'leaving' | 'staying';
}

/** Title, description and visibility of a new or existing collection. */
export function CollectionDialog({ collection, onClose, onSaved }: CollectionDialogProps): ReactNode {
  const t = useTranslations('market.collectionDialog');
  const { form, pending, problem, fieldErrors } = useForm({
    method: collection ? 'PATCH' : 'POST',
    path: collection ? `/api/collections/${collection.id}` : '/api/collections',
    toBody: ({ title, description, visibility }: Fields) => ({ title, description, visibility }),
    onDone: (body) => onSaved(body as CollectionSummary),
  });
  const choices = visibilities.map((value) => ({
    value,
    label: t(`choices.${value}.label`),
    hint: t(`choices.${value}.hint`),
  }));
  return (
    <LazyDialog onOpenChange={onClose} title={t(collection ? 'editTitle' : 'newTitle')}>
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.title} id="collection-title" label={t('titleLabel')} required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              defaultValue={collection?.title}
              maxLength={MAX_COLLECTION_TITLE}
              name="title"
            />
          )}
        </Field>
        <Field error={fieldErrors.description} id="collection-description" label={t('descriptionLabel')}>
          {(control) => (
            <Textarea
              {...control}
              defaultValue={collection?.description}
              maxLength={MAX_COLLECTION_DESCRIPTION}
              name="description"
              rows={3}
            />
          )}
        </Field>
        <ChoiceList
          choices={choices}
          defaultValue={collection?.visibility ?? 'private'}
          legend={t('visibility')}
          name="visibility"
        />
        <Button pending={pending} tone="primary" type="submit">
          {t(collection ? 'save' : 'create')}
        </Button>
      </form>
    </LazyDialog>
  );
}
