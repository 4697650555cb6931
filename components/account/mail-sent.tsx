import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';

export interface MailSentProps {
  /** What to do with the mail. */
  children: ReactNode;
  /** False where no mail server is set up. */
  mailsAreSent: boolean;
}

/** What to do after a mail was asked for, which may not have been sent to anybody. */
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
