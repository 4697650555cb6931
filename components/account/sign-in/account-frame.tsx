import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';

interface AccountFrameProps {
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  /** The alternative, below the card. */
  footer?: ReactNode;
}

/** One short step of sign-in or sign-up, centered on the page. */
export function AccountFrame({ title, lead, children, footer }: AccountFrameProps): ReactNode {
  return (
    <div className="page-x py-10 sm:py-16">
      <div className="mx-auto w-full max-w-md">
        <h1 className="text-2xl font-semibold">{title}</h1>
        {lead ? <p className="mt-2 text-muted">{lead}</p> : null}
        <Card className="mt-6 space-y-6 p-5 sm:p-7">{children}</Card>
        {footer ? <p className="mt-5 text-sm text-muted">{footer}</p> : null}
      </div>
    </div>
  );
}

interface MailSentProps {
  /** The instruction for the next step. */
  children: ReactNode;
  /** False if no mail server is configured. */
  mailsAreSent: boolean;
}

/** The next step after requesting an email. Does not reveal whether the email was sent. */
export function MailSent({ children, mailsAreSent }: MailSentProps): ReactNode {
  const t = useTranslations('account.mailSent');
  return (
    <>
      <p>{children}</p>
      {mailsAreSent ? null : (
        <Alert title={t('noServer')} tone="warn">
          {t.rich('noServerHint', { folder: () => <code className="font-mono">outbox</code> })}
        </Alert>
      )}
    </>
  );
}

/** An emailed link that is no longer valid, and a way to request another one. */
export function LinkExpired({ again }: { again: string }): ReactNode {
  const t = useTranslations('account.linkOver');
  return (
    <>
      <Alert title={t('title')} tone="warn">
        {t('hint')}
      </Alert>
      <LinkButton href={again} tone="primary">
        {t('again')}
      </LinkButton>
    </>
  );
}
