import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';

export interface MailSentProps {
  /** What to do with the e-mail. */
  children: ReactNode;
  /** False if no mail server is configured. */
  mailsAreSent: boolean;
}

/** The next step after requesting an e-mail, which may not have been sent to anybody. */
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
