'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_REDIRECT_URI_LENGTH, MAX_REDIRECT_URIS } from '@/lib/protocol/limits';
import { redirectUriProblem } from '@/lib/protocol/oauth/client-metadata';
import type { AppView } from '@/lib/tokens/schema';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { toast, useSuccess } from '../../ui/overlays/toast';

/** The URLs to which users may return after they connect the app, and a form to add one. */
export function RedirectUris({ app }: { app: AppView }): ReactNode {
  const t = useTranslations('console.redirectUris');
  return (
    <div className="space-y-4 border-t border-line p-5">
      <div>
        <h3 className="font-semibold">{t('title')}</h3>
        <p className="text-sm text-muted">{t('lead')}</p>
      </div>
      {app.redirectUris.length > 0 ? (
        <ul className="divide-y divide-line border-y border-line">
          {app.redirectUris.map((uri) => (
            <UriRow app={app} key={uri} uri={uri} />
          ))}
        </ul>
      ) : null}
      {app.redirectUris.length < MAX_REDIRECT_URIS ? <AddUri app={app} /> : null}
    </div>
  );
}

function UriRow({ app, uri }: { app: AppView; uri: string }): ReactNode {
  const t = useTranslations('console.redirectUris');
  const succeed = useSuccess();
  const [pending, setPending] = useState(false);

  async function remove(): Promise<void> {
    setPending(true);
    const redirectUris = app.redirectUris.filter((other) => other !== uri);
    const response = await callApi('PUT', pathOf(app), { redirectUris });
    setPending(false);
    if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
    succeed(t('removed'));
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <code className="min-w-0 text-xs break-all">{uri}</code>
      <Button aria-label={t('removeWhat', { uri })} onClick={() => void remove()} pending={pending} size="sm">
        {t('remove')}
      </Button>
    </li>
  );
}

function AddUri({ app }: { app: AppView }): ReactNode {
  const t = useTranslations('console.redirectUris');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: pathOf(app),
    check: ({ redirectUris = '' }): FieldErrors => {
      const message = redirectUriProblem(redirectUris.trim());
      return message ? { redirectUris: message } : {};
    },
    toBody: ({ redirectUris = '' }) => ({ redirectUris: [...app.redirectUris, redirectUris.trim()] }),
    onDone(_body, sent) {
      sent.reset();
      return succeed(t('added'));
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      <FormProblem problem={problem} />
      <Field
        error={fieldErrors.redirectUris}
        hint={t('hint')}
        id={`redirect-uri-${app.id}`}
        label={t('label')}
        required
      >
        {(control) => (
          <Input
            {...control}
            autoCapitalize="none"
            autoComplete="off"
            maxLength={MAX_REDIRECT_URI_LENGTH}
            name="redirectUris"
            placeholder="https://app.example.com/callback"
            spellCheck={false}
          />
        )}
      </Field>
      <Button pending={pending} type="submit">
        {t('add')}
      </Button>
    </form>
  );
}

function pathOf(app: AppView): string {
  return `/api/apps/${app.id}/redirect-uris`;
}
