import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { FormProblem } from '@/components/forms/form-problem';
import { routes } from '@/components/routes';
import { Button, LinkButton } from '@/components/ui/controls/button';
import { Alert } from '@/components/ui/display/alert';
import { DateTime } from '@/components/ui/display/date-time';
import { type ChangeKind, findUndoableChange, isProofChange } from '@/lib/identity';
import { mailLocaleOf } from '@/lib/texts/languages';
import { type PageQuery, readQuery } from '../page-query';

// `no-referrer` would remove the Origin of the form, which the same-origin check requires.
export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.undo');
  return { title: t('title'), referrer: 'strict-origin' };
}

function hintOf(kind: ChangeKind): 'recoveryHint' | 'proofHint' | 'hint' {
  if (kind === 'recovery.request') return 'recoveryHint';
  return isProofChange(kind) ? 'proofHint' : 'hint';
}

/** The target of the link that undoes a change. Opening it changes nothing, because email scanners open links. */
export default async function UndoPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.undo');
  const { value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const locale = mailLocaleOf(undefined, await getLocale()) ?? undefined;
  const change = await findUndoableChange({ ctx: await pageContext(), input: { token, locale } });
  if (change === null) {
    return (
      <AccountFrame title={t('title')}>
        <Alert title={t('over')} tone="warn">
          {t('overHint')}
        </Alert>
        <LinkButton href={routes.settings} tone="primary">
          {t('settings')}
        </LinkButton>
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={t('title')}>
      <div className="space-y-2">
        <p className="font-medium">{t(`changes.${change.kind}`)}</p>
        {change.detail ? <p>{change.detail}</p> : null}
        <p className="text-sm text-muted">
          <DateTime at={change.createdAt.toISOString()} />
        </p>
      </div>
      <p>{t(hintOf(change.kind))}</p>
      <form action="/api/account/undo" className="space-y-5" method="post">
        <FormProblem code={value('error')} problem={null} />
        <input name="token" type="hidden" value={token} />
        <Button className="w-full" tone="primary" type="submit">
          {t('submit')}
        </Button>
      </form>
    </AccountFrame>
  );
}
