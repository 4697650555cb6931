'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_SAVED_SEARCH_NAME } from '@/lib/discovery/limits';
import type { CreatedSavedSearch, SavedQuery } from '@/lib/discovery/schema-saved-searches';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { useForm } from '../../forms/use-form';
import { settingsRoutes } from '../../settings-routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { CodeBlock } from '../../ui/display/code-block';
import { LazyDialog } from '../../ui/overlays/lazy';
import { toast } from '../../ui/overlays/toast';

interface SaveSearchDialogProps {
  query: SavedQuery;
  description: string;
  onOpenChange: (open: boolean) => void;
}

/**
 * A dialog with the name of a search and the choice of how new agents are announced. Displays the URL of its feed once.
 */
export function SaveSearchDialog({ query, description, onOpenChange }: SaveSearchDialogProps): ReactNode {
  const t = useTranslations('market.saveSearchDialog');
  const [feedUrl, setFeedUrl] = useState<string | null>(null);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/saved-searches',
    check: ({ name = '' }): Record<string, string> => (name.trim() === '' ? { name: t('nameMissing') } : {}),
    toBody: (fields) => ({ name: fields.name, query, mail: 'mail' in fields, feed: 'feed' in fields }),
    onDone(body) {
      const made = body as CreatedSavedSearch;
      toast({ tone: 'good', text: t('saved') });
      if (made.feedUrl) setFeedUrl(made.feedUrl);
      else onOpenChange(false);
      return 'staying';
    },
  });
  return (
    <LazyDialog description={description} onOpenChange={onOpenChange} title={t(feedUrl ? 'savedTitle' : 'title')}>
      {feedUrl ? (
        <div className="space-y-4">
          <Alert tone="warn">{t('feedOnce')}</Alert>
          <CodeBlock code={feedUrl} label={t('feedUrl')} wrap />
          <div className="flex flex-wrap justify-end gap-2">
            <LinkButton href={settingsRoutes.savedSearches}>{t('all')}</LinkButton>
            <Button onClick={() => onOpenChange(false)} tone="primary">
              {t('done')}
            </Button>
          </div>
        </div>
      ) : (
        <form {...form} className="space-y-5">
          <FormProblem problem={problem} />
          <Field error={fieldErrors.name} id="search-name" label={t('name')} required>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                defaultValue={description.slice(0, MAX_SAVED_SEARCH_NAME)}
                maxLength={MAX_SAVED_SEARCH_NAME}
                name="name"
              />
            )}
          </Field>
          <fieldset>
            <legend className="text-sm font-medium">{t('notify')}</legend>
            <div className="mt-2 space-y-1">
              <Checkbox defaultChecked hint={t('mailHint')} label={t('mail')} name="mail" />
              <Checkbox hint={t('feedHint')} label={t('feed')} name="feed" />
            </div>
          </fieldset>
          <Button className="w-full" pending={pending} tone="primary" type="submit">
            {t('save')}
          </Button>
        </form>
      )}
    </LazyDialog>
  );
}
