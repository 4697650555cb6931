'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { AgentSummary } from '@/lib/catalog/schema';
import type { AgentPreview } from '@/lib/catalog/schema-registration';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { ownAgentPath, routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { announce } from '../../ui/overlays/announcer';
import { toast } from '../../ui/overlays/toast';
import { type AppChoice, ListingFields } from '../agents/listing-fields';
import { CardPreview } from '../card/card-preview';
import { CardWorkbench } from '../card/card-workbench';
import { FaultList } from '../card/fault-list';

type Translator = ReturnType<typeof useTranslations<'console.registerForm'>>;

interface RegisterFormProps {
  apps: AppChoice[];
  /** The initial URL. */
  url: string;
}

const exampleUrl = 'https://agent.example';

/** One URL and one button: reads the card, displays the result, and lists the agent if it can be called. */
export function RegisterForm({ apps, url }: RegisterFormProps): ReactNode {
  const t = useTranslations('console.registerForm');
  const [read, setRead] = useState<{ url: string; preview: AgentPreview } | null>(null);
  /** The text in the editor; null while the editor is not required. */
  const [pasted, setPasted] = useState<string | null>(null);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/agents/preview',
    check: (fields) => missingIn(fields, t),
    onDone(body, sent) {
      const preview = body as AgentPreview;
      setRead({ url: String(new FormData(sent).get('url')), preview });
      setPasted(preview.faults.length > 0 ? preview.source : null);
      if (preview.card) announce(t('found', { name: preview.card.name }));
      return 'staying';
    },
  });
  const shown = pending || problem || fieldErrors.url ? null : read;
  return (
    <div className="max-w-3xl space-y-8">
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.url} hint={t('addressHint')} id="url" label={t('address')} required>
          {(control) => (
            <span className="flex flex-wrap gap-2">
              <Input
                {...control}
                autoComplete="url"
                className="min-w-0 flex-1 basis-72"
                defaultValue={url}
                inputMode="url"
                name="url"
                placeholder={exampleUrl}
                spellCheck={false}
              />
              <Button pending={pending} tone={shown?.preview.card ? 'secondary' : 'primary'} type="submit">
                {t(read ? 'checkAgain' : 'read')}
              </Button>
            </span>
          )}
        </Field>
      </form>
      {pasted === null && !shown ? (
        <p className="text-sm text-muted">
          {t.rich('noAddressYet', {
            paste: (chunks) => (
              <button className="text-link" onClick={() => setPasted('')} type="button">
                {chunks}
              </button>
            ),
            build: (chunks) => (
              <Link className="text-link" href={routes.buildCard}>
                {chunks}
              </Link>
            ),
          })}
        </p>
      ) : null}
      {pasted === null ? null : <CardWorkbench onText={setPasted} text={pasted} url={shown?.url ?? null} />}
      {shown && pasted === null ? <FaultList faults={shown.preview.faults} kind="fault" /> : null}
      {shown?.preview.card ? (
        <>
          <CardPreview card={shown.preview.card} preview={shown.preview} />
          <FaultList faults={shown.preview.warnings} kind="warning" />
          <ListForm apps={apps} preview={shown.preview} url={shown.url} />
        </>
      ) : null}
    </div>
  );
}

function missingIn(fields: Fields, t: Translator): FieldErrors {
  return fields.url?.trim() ? {} : { url: t('noAddress', { example: exampleUrl }) };
}

interface ListFormProps {
  url: string;
  preview: AgentPreview;
  apps: AppChoice[];
}

const noFaults: FieldErrors = {};

/** Lists the agent whose card was just read, or updates its listing. */
function ListForm({ url, preview, apps }: ListFormProps): ReactNode {
  const t = useTranslations('console.listForm');
  const router = useRouter();
  const { isListed, otherOrigin } = preview;
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/agents',
    check: (fields) => (otherOrigin && !('confirmOrigin' in fields) ? { confirmOrigin: t('unconfirmed') } : noFaults),
    toBody: ({ visibility, appId, confirmOrigin }) => ({
      url,
      confirmOrigin: confirmOrigin !== undefined,
      ...(isListed ? {} : { visibility, appId: appId || null }),
    }),
    onDone(body) {
      const agent = body as AgentSummary;
      toast({ tone: 'good', text: t(isListed ? 'updated' : 'listed', { name: agent.name }) });
      router.push(ownAgentPath(agent.slug));
      return 'leaving';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      {isListed ? (
        <Alert title={t('listedBefore')}>{t('listedBeforeText')}</Alert>
      ) : (
        <ListingFields appId={apps[0]?.id ?? null} apps={apps} visibility="public" />
      )}
      {otherOrigin ? (
        <div>
          <Checkbox
            hint={t('otherOriginHint', { origin: otherOrigin.expected })}
            label={t('otherOrigin', { origin: otherOrigin.found })}
            name="confirmOrigin"
          />
          {fieldErrors.confirmOrigin ? <p className="mt-1 text-sm text-danger">{fieldErrors.confirmOrigin}</p> : null}
        </div>
      ) : null}
      <Button pending={pending} tone="primary" type="submit">
        {t(isListed ? 'update' : 'list')}
      </Button>
    </form>
  );
}
