'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_QUERY_LENGTH, MAX_SAVED_SEARCH_NAME } from '@/lib/discovery/limits';
import type { SavedSearchView } from '@/lib/discovery/schema-saved-searches';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { LazyDialog } from '../../ui/overlays/lazy';
import { toast } from '../../ui/overlays/toast';

interface EditSearchDialogProps {
  search: SavedSearchView;
  onClose: () => void;
}

/** Changes the name, the words and the notification of a saved search. */
export function EditSearchDialog({ search, onClose }: EditSearchDialogProps): ReactNode {
  const t = useTranslations('market.editSearchDialog');
  const router = useRouter();
  const { id, name, query, mail } = search;
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: `/api/saved-searches/${encodeURIComponent(id)}`,
    check: ({ name: text = '' }): Record<string, string> => (text.trim() === '' ? { name: t('nameMissing') } : {}),
    toBody(fields) {
      const q = (fields.q ?? '').trim();
      return { name: fields.name, mail: 'mail' in fields, ...(q === query.q ? {} : { query: { ...query, q } }) };
    },
    onDone() {
      toast({ tone: 'good', text: t('saved') });
      onClose();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <LazyDialog onOpenChange={onClose} title={t('title')}>
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.name} id="edit-name" label={t('name')} required>
          {(control) => (
            <Input {...control} autoComplete="off" defaultValue={name} maxLength={MAX_SAVED_SEARCH_NAME} name="name" />
          )}
        </Field>
        <Field error={fieldErrors.q ?? fieldErrors.query} hint={t('wordsHint')} id="edit-q" label={t('words')}>
          {(control) => (
            <Input {...control} autoComplete="off" defaultValue={query.q} maxLength={MAX_QUERY_LENGTH} name="q" />
          )}
        </Field>
        <Checkbox defaultChecked={mail} hint={t('mailHint')} label={t('mail')} name="mail" />
        <Button className="w-full" pending={pending} tone="primary" type="submit">
          {t('save')}
        </Button>
      </form>
    </LazyDialog>
  );
}
