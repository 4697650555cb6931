'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { createPasskey } from '../forms/ask-passkey';
import { type ApiProblem, callApi } from '../forms/call-api';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { Reauthenticate } from '../forms/reauthenticate';
import { routes } from '../routes';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';

/** Creates a passkey on this device and enrolls it; an earlier one confirms that. */
export function NewPasskey({ hasPasskey }: { hasPasskey: boolean }): ReactNode {
  const t = useTranslations('payments.newPasskey');
  const tRefused = useTranslations('payments.askPasskey');
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function enroll(form: HTMLFormElement): Promise<void> {
    const name = String(new FormData(form).get('name')).trim() || t('defaultName');
    setPending(true);
    setProblem(null);
    const fault = await enrolAs(name, tRefused);
    setPending(false);
    setProblem(fault);
    if (fault !== null) return;
    form.reset();
    toast({ tone: 'good', text: t('enrolled', { name }) });
    router.refresh();
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!pending) void enroll(event.currentTarget);
  }

  return (
    <form className="max-w-lg space-y-4" onSubmit={onSubmit}>
      {problem?.code === 'sign_in_again' ? (
        <Reauthenticate returnTo={routes.payments} what="addPasskey" />
      ) : (
        <FormProblem problem={problem} />
      )}
      {hasPasskey ? <p className="text-sm text-muted">{t('confirmHint')}</p> : null}
      <Field hint={t('nameHint')} id="passkey-name" label={t('name')}>
        {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" />}
      </Field>
      <Button pending={pending} type="submit">
        {t('add')}
      </Button>
    </form>
  );
}

type ErrorTexts = ReturnType<typeof useTranslations<'payments.askPasskey'>>;

/** Null once it is enrolled, else the reason. */
async function enrolAs(name: string, t: ErrorTexts): Promise<ApiProblem | null> {
  const asked = await callApi('POST', '/api/auth/passkeys/options', {});
  if (!asked.ok) return asked.problem;
  const answer = await createPasskey(asked.body as Record<string, unknown>);
  if (!answer.ok) return { title: t(answer.reason), code: 'passkey_not_made', faults: [] };
  const response = await callApi('POST', '/api/auth/passkeys', { name, credential: answer.made });
  return response.ok ? null : response.problem;
}
