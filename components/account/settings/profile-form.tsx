'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_NAME_LENGTH } from '@/lib/identity/limits';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';

export interface ProfileFormProps {
  name: string;
  email: string;
}

/** The user's name and, read-only, their email address. */
export function ProfileForm({ name, email }: ProfileFormProps): ReactNode {
  const t = useTranslations('account.profileForm');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PATCH',
    path: '/api/auth/profile',
    check: (fields): FieldErrors => (fields.name?.trim() ? {} : { name: t('nameMissing') }),
    toBody: (fields) => ({ name: fields.name }),
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.name} hint={t('nameHint')} id="name" label={t('name')} required>
        {(control) => (
          <Input {...control} autoComplete="name" defaultValue={name} maxLength={MAX_NAME_LENGTH} name="name" />
        )}
      </Field>
      <Field hint={t('emailHint')} id="email" label={t('email')} required>
        {(control) => <Input {...control} autoComplete="email" readOnly type="email" value={email} />}
      </Field>
      <Button pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
