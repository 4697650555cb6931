'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { DeviceRequestView } from '@/lib/tokens/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { usePrehydrationValue } from '../../forms/use-initial-text';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { announce } from '../../ui/overlays/announcer';
import { DeviceRequest } from './device-request';

type Step =
  | { name: 'typing' }
  | { name: 'deciding'; userCode: string; request: DeviceRequestView }
  | { name: 'decided'; allowed: boolean };

/** Device sign-in: the code that the device displays, the scopes that it requests, and the user's decision. */
export function DeviceSignIn(): ReactNode {
  const t = useTranslations('account.deviceSignIn');
  const [step, setStep] = useState<Step>({ name: 'typing' });
  switch (step.name) {
    case 'typing':
      return <CodeForm onFound={(userCode, request) => setStep({ name: 'deciding', userCode, request })} />;
    case 'deciding':
      return (
        <DeviceRequest
          onDecided={(allowed) => {
            announce(t(allowed ? 'announceAllowed' : 'announceDenied'));
            setStep({ name: 'decided', allowed });
          }}
          request={step.request}
          userCode={step.userCode}
        />
      );
    case 'decided':
      return <Decided allowed={step.allowed} onAgain={() => setStep({ name: 'typing' })} />;
  }
}

function CodeForm({ onFound }: { onFound: (userCode: string, request: DeviceRequestView) => void }): ReactNode {
  const t = useTranslations('account.deviceSignIn');
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  usePrehydrationValue(field, setTyped);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/auth/device/check',
    check: ({ userCode }): FieldErrors => (userCode?.trim() ? {} : { userCode: t('codeMissing') }),
    onDone(body) {
      onFound(typed, body as DeviceRequestView);
      return 'leaving';
    },
  });
  return (
    <form {...form} className="space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.userCode} hint={t('codeHint')} id="userCode" label={t('code')} required>
        {(control) => (
          <Input
            {...control}
            autoCapitalize="characters"
            autoComplete="off"
            className="font-mono text-lg tracking-widest uppercase"
            maxLength={20}
            name="userCode"
            onChange={(event) => setTyped(event.target.value)}
            ref={field}
            spellCheck={false}
          />
        )}
      </Field>
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

/** Takes the focus from the button that was removed. */
function Decided({ allowed, onAgain }: { allowed: boolean; onAgain: () => void }): ReactNode {
  const t = useTranslations('account.deviceSignIn');
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div className="space-y-5 outline-none" ref={panel} tabIndex={-1}>
      {allowed ? (
        <Alert title={t('allowed')} tone="good">
          {t('allowedHint')}
        </Alert>
      ) : (
        <Alert title={t('denied')}>{t('deniedHint')}</Alert>
      )}
      <Button className="w-full" onClick={onAgain}>
        {t('again')}
      </Button>
    </div>
  );
}
