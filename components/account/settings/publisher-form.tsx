'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_PUBLISHER_BIO, MAX_PUBLISHER_LINK, MAX_PUBLISHER_NAME, MAX_SLUG_LENGTH } from '@/lib/catalog/limits';
import type { PublisherProfile } from '@/lib/catalog/schema-team';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Textarea } from '../../forms/inputs';
import { useForm } from '../../forms/use-form';
import { publisherPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';

export interface PublisherFormProps {
  /** Null for a user without listings. */
  profile: PublisherProfile | null;
  /** The account's name, the default. */
  accountName: string;
}

/** The profile that users see as the publisher of this user's agents. */
export function PublisherForm({ profile, accountName }: PublisherFormProps): ReactNode {
  const t = useTranslations('account.publisherForm');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: '/api/publishers/own',
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.handle} hint={t('handleHint')} id="handle" label={t('handle')} required>
        {(control) => (
          <Input
            {...control}
            autoCapitalize="none"
            defaultValue={profile?.handle}
            maxLength={MAX_SLUG_LENGTH}
            name="handle"
            spellCheck={false}
          />
        )}
      </Field>
      <Field error={fieldErrors.name} hint={t('nameHint', { name: accountName })} id="public-name" label={t('name')}>
        {(control) => <Input {...control} defaultValue={profile?.name} maxLength={MAX_PUBLISHER_NAME} name="name" />}
      </Field>
      <Field error={fieldErrors.bio} hint={t('bioHint')} id="bio" label={t('bio')}>
        {(control) => <Textarea {...control} defaultValue={profile?.bio} maxLength={MAX_PUBLISHER_BIO} name="bio" />}
      </Field>
      <Field error={fieldErrors.link} hint={t('linkHint')} id="link" label={t('link')}>
        {(control) => (
          <Input
            {...control}
            defaultValue={profile?.link ?? ''}
            maxLength={MAX_PUBLISHER_LINK}
            name="link"
            type="url"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button pending={pending} tone="primary" type="submit">
          {t('submit')}
        </Button>
        {profile ? (
          <LinkButton href={publisherPath(profile.handle)} tone="quiet">
            {t('seePage')}
          </LinkButton>
        ) : null}
      </div>
    </form>
  );
}
